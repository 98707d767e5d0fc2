import { expect, test } from 'vitest';
import { cutCaptions } from '#src/studio/domain/cut-captions.ts';

const vtt = `WEBVTT

NOTE made from a brief

1
00:00.000 --> 00:02.500
one

2
00:00:02.500 --> 00:00:06.000 align:start
two

3
00:06.000 --> 00:09.000
three
`;

test('cues that begin after the end go, and one that is open then ends with the film', () => {
  expect(cutCaptions(vtt, 4.2)).toBe(`WEBVTT

NOTE made from a brief

1
00:00.000 --> 00:02.500
one

2
00:00:02.500 --> 00:00:04.200 align:start
two
`);
});

test('captions of a film that is long enough stay as they are', () => {
  expect(cutCaptions(vtt, 9)).toBe(vtt);
  expect(cutCaptions(vtt.replaceAll('\n', '\r\n'), 60)).toBe(vtt);
});
