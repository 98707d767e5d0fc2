import { expect, test } from 'vitest';
import { type ClaimKind, claimReason, findClaims } from '#src/studio/domain/claims.ts';

/** Sentences that may claim something, and the kind that has to be among what is found. */
const claims: readonly (readonly [ClaimKind, string])[] = [
  ['comparison', '50% cheaper than Nespresso.'],
  ['authority', 'Doctors recommend it.'],
  ['performance', 'Makes you three times as productive.'],
  ['superlative', 'Der beste Kaffee der Stadt, garantiert.'],
  ['guarantee', 'The best coffee, guaranteed.'],
  ['price', 'Now 20% off.'],
  ['price', 'Only $9 a bag.'],
  ['price', 'Just 3 € until Sunday.'],
  ['price', 'Free shipping this week.'],
  ['price', 'Buy one, get one.'],
  ['price', 'Our summer sale starts on Monday.'],
  ['price', 'Save up to 40% on every cup.'],
  ['price', 'The lowest price in town.'],
  ['authority', 'Clinically proven to help.'],
  ['performance', 'Earn up to $500 a day.'],
  ['comparison', 'Faster than any other courier.'],
  ['comparison', 'Better than the leading brand.'],
  ['comparison', 'It beats the competition.'],
  ['comparison', 'Unlike other roasters we take our time.'],
  ['superlative', 'The world’s best espresso.'],
  ['superlative', 'The fastest laptop you can buy.'],
  ['superlative', 'Award-winning roastery.'],
  ['superlative', 'The number one app for runners.'],
  ['superlative', 'Unbeatable quality.'],
  ['authority', 'Nine out of ten dentists agree.'],
  ['authority', 'Trusted by professionals everywhere.'],
  ['authority', 'Studies show that it works.'],
  ['authority', 'FDA approved.'],
  ['authority', 'Dermatologically tested.'],
  ['performance', 'Lasts up to 12 hours.'],
  ['performance', 'Doubles your battery life.'],
  ['performance', '30% more power.'],
  ['performance', 'Lose 5 kilos in just 10 days.'],
  ['performance', 'Twice as strong.'],
  ['performance', '10x faster builds.'],
  ['health', 'It cures headaches.'],
  ['health', 'Boosts your immune system.'],
  ['health', 'Lowers your blood pressure.'],
  ['health', 'A detox for your body.'],
  ['health', 'No side effects.'],
  ['guarantee', 'Your money-back guarantee.'],
  ['guarantee', 'Try it risk-free.'],
  ['guarantee', 'A proven method.'],
  ['guarantee', 'It never fails.'],
  ['environment', 'Our cups are climate-neutral.'],
  ['environment', 'Sustainable packaging.'],
  ['price', 'Jetzt 20 % Rabatt.'],
  ['price', 'Nur 9 € pro Tüte.'],
  ['comparison', 'Günstiger als Nespresso.'],
  ['authority', 'Ärzte empfehlen es.'],
  ['authority', 'Von Stiftung Warentest geprüft.'],
  ['performance', 'Macht dich dreimal so produktiv.'],
  ['health', 'Stärkt das Immunsystem.'],
  ['guarantee', 'Mit Geld-zurück-Garantie.'],
  ['environment', 'Klimaneutral geröstet.'],
  ['superlative', 'Der günstigste Tarif.'],
];

/** Sentences that claim nothing that a seller would answer for. */
const plain: readonly string[] = [
  'It was the best of times, it was the worst of times.',
  'The best of times, the worst of times.',
  'A harbour wakes.',
  'Bestow a crown.',
  'Freedom at sea.',
  'Boats leave before dawn.',
  'Open from May until the first storm of autumn.',
  'Hello, I am a preview.',
  'My best friend lives by the sea.',
  'We did our best to be there.',
  'With all best wishes from the crew.',
  'Feel free to come in.',
  'The sail is white.',
  'A quick brown fox jumps over the lazy dog.',
  'Coffee, tea and cake by the pier.',
  'We roast every batch by hand each morning.',
  'The lamp lights up at night.',
  'Founded four hundred years ago by monks.',
  'Two boats and three gulls.',
  'She tests the rope and climbs aboard.',
  'The doctor walks along the pier.',
  'A story about a dog that finds its way home.',
  'The curtain rises.',
  'He treats his guests with care.',
  'More than a café.',
  'Der Hafen erwacht.',
  'Boote fahren vor der Dämmerung hinaus.',
  'Es war die beste Zeit, es war die schlimmste Zeit.',
  'Mein bester Freund wohnt am Meer.',
  'Wir öffnen im Mai.',
];

test.for(claims)('%s: %s', ([kind, sentence]) => {
  expect(findClaims(sentence).found.map((claim) => claim.kind)).toContain(kind);
  expect(findClaims(sentence).unchecked).toEqual([]);
});

test.for(plain)('claims nothing: %s', (sentence) => {
  expect(findClaims(sentence)).toEqual({ found: [], unchecked: [] });
});

test.for([
  ['fr', 'Le meilleur café de la ville, et pas cher.'],
  ['es', 'El mejor café de la ciudad.'],
  ['it', 'Il miglior caffè della città.'],
  ['zh', '港口醒来了，全城最好的咖啡。'],
  ['ja', 'みなとがめざめます。'],
  ['ru', 'Гавань просыпается.'],
  ['ar', 'الميناء يستيقظ.'],
  ['th', 'ท่าเรือตื่นขึ้น'],
] as const)('%s is said not to have been checked: %s', ([language, sentence]) => {
  expect(findClaims(sentence).unchecked).toEqual([language]);
  expect(claimReason('the brief', sentence)).toBe(
    `the brief is in a language that was not checked for claims (${language}; checked are English and German)`,
  );
});

test('of a text in two languages both are reported: the claims found, and the part that was not checked', () => {
  expect(claimReason('its text', 'Doctors recommend it. El mejor café de la ciudad.')).toBe(
    'its text says "Doctors recommend" (an authority’s word), which may be a claim; part of it is in a language that was not checked for claims (es; checked are English and German)',
  );
  expect(claimReason('its text', 'A harbour wakes.')).toBeNull();
});
