import type { PackageManifest } from './package-manifest.ts';

/** Writes what a person who opens a package should know first. */
export function readMe(manifest: PackageManifest): string {
  const { madeFor, caption, title, schedule, files, warnings, leftOut, approval, receipt } = manifest;
  const limits = [
    madeFor.aspect,
    madeFor.seconds === null ? 'any length' : `at most ${madeFor.seconds} s`,
    `a caption of at most ${madeFor.caption} (${madeFor.counts})`,
    `${madeFor.hashtags} hashtags`,
  ];
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [
      `Package for ${madeFor.title}`,
      [
        'Nothing in here has been posted. Look through it, then upload it by hand or with a tool of yours.',
        `Made for: ${limits.join(', ')}. Channels change their limits; check them.`,
      ],
    ],
    ['Look at this first', warnings],
    [
      'What is in here',
      [
        ...files.map(({ path, width, height, duration }) =>
          [path, width && height && `${width} x ${height}`, duration && `${duration.toFixed(1)} s`]
            .filter((part) => part)
            .join(', '),
        ),
        'caption.txt, and title.txt where the channel has a title: the texts of the post',
        'alt-text.txt: written from the brief, not from looking at the pictures; check it',
        'manifest.json: everything about this package, for programs',
        'checksums.txt: check with sha256sum -c checksums.txt',
      ],
    ],
    ['What was approved and is not in here', leftOut.map(({ assetId, why }) => `${assetId}: ${why}`)],
    ['Title', title === null ? [] : [title]],
    ['Caption', [caption]],
    ['When', [...(schedule.at === null ? [] : [schedule.at]), schedule.rule]],
    [
      'Where it comes from',
      [
        `Approval ${approval.id}, of the effect with the SHA-256 ${approval.effectSha256}.`,
        `Receipt ${receipt.id}: ${receipt.url}`,
      ],
    ],
  ];
  return sections
    .filter(([, lines]) => lines.some((line) => line !== ''))
    .map(([heading, lines]) => `${heading}\n${'-'.repeat(heading.length)}\n${lines.join('\n')}\n`)
    .join('\n');
}
