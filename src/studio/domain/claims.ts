import { textLanguage } from '#src/lib/text/text-language.ts';

export type ClaimKind =
  | 'price'
  | 'comparison'
  | 'superlative'
  | 'authority'
  | 'performance'
  | 'health'
  | 'guarantee'
  | 'environment';

/** Words by which a text may claim something that a seller answers for. */
export interface Claim {
  readonly kind: ClaimKind;
  /** As they stand in the text. */
  readonly words: string;
}

export interface Claims {
  readonly found: readonly Claim[];
  /** Languages of sentences that no rule here reads, as BCP 47 tags; `und` where it is not known which. */
  readonly unchecked: readonly string[];
}

/** Languages that the rules read. */
export const checkedLanguages = ['English', 'German'] as const;
const checkedTags: ReadonlySet<string> = new Set(['en', 'de']);

const kindNames: Readonly<Record<ClaimKind, string>> = {
  price: 'a price or an offer',
  comparison: 'a comparison',
  superlative: 'a superlative',
  authority: 'an authority’s word',
  performance: 'a figure of performance',
  health: 'an effect on health',
  guarantee: 'a promise',
  environment: 'an effect on the environment',
};

const rule = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu');
const AMOUNT = String.raw`(?:\d+(?:[.,]\d+)*|two|three|four|five|six|ten|twice|half|a hundred|hundreds|a thousand)`;
const BETTER = String.raw`(?:faster|cheaper|better|stronger|lighter|longer|safer|cleaner|healthier|smarter|tastier|fresher|quieter|brighter|easier|more \p{L}+|less \p{L}+|fewer \p{L}+)`;

/** Rules by words, not by meaning: the person who decides reads the text itself. */
const rules: readonly (readonly [ClaimKind, RegExp])[] = [
  ['price', /[$€£¥]\s?\d|\d\s?(?:[$€£¥]|(?:dollars?|euros?|pounds?|usd|eur|gbp|chf)(?![\p{L}]))/iu],
  [
    'price',
    rule(
      String.raw`discounts?|(?:on|for|summer|winter|spring|big|flash|clearance|our) sale|sale (?:ends|starts|now)|bargains?|lowest prices?|special offer|half[- ]price|save (?:up to )?[$€£]?\d+ ?%?|rabatt|angebot|sonderpreis|gratis|kostenlos\p{L}*|umsonst|günstig(?:er|ste)?\p{L}*|billig(?:er|ste)?\p{L}*|spar(?:e|en|t) (?:sie |bis zu )*\d+`,
    ),
  ],
  ['price', /\d\s?(?:%|percent|per cent|prozent)\s?(?:off|discount|cheaper|rabatt|reduziert|günstiger|billiger)/iu],
  [
    'price',
    rule(
      String.raw`(?:for|totally|completely|absolutely|try it|delivered|ships?) free|free (?:of charge|shipping|delivery|trials?|returns?|samples?|gifts?|coffee|cups?|today|for \p{L}+)|buy (?:one|two|\d)[^.!?]{0,20}get`,
    ),
  ],
  [
    'comparison',
    rule(
      String.raw`(?:${BETTER}|superior|preferred) (?:to|than)(?! ever| usual| before dawn)(?: \p{L}+)?|beats? (?:the competition|every|any|all|\p{Lu}\p{L}+)|outperforms?|unlike (?:other|any|the others|our competitors|\p{Lu}\p{L}+)|leading brands?|(?:the )?competit(?:ion|ors?)|versus|vs\.?`,
    ),
  ],
  [
    'comparison',
    rule(
      String.raw`(?:besser|schneller|stärker|leichter|länger|günstiger|billiger|sicherer|gesünder|sauberer|mehr \p{L}+|weniger \p{L}+) als(?: \p{L}+)?|im vergleich zu[rm]?|schlägt (?:jede|alle|die konkurrenz)\p{L}*|konkurrenz`,
    ),
  ],
  [
    'superlative',
    rule(
      String.raw`(?:the|our|your|\p{Lu}\p{L}+['’]s|world['’]s|town['’]s|germany['’]s) (?:best|finest|fastest|cheapest|strongest|safest|healthiest|cleanest|freshest|smartest|easiest|tastiest|most \p{L}+)(?! (?:of times|friends?|time of|part of|way to start|regards|is yet|man|before|day|i can|we can|known))|best[- ](?:in[- ]class|selling|ever|rated|value|coffee|choice)|number one|no\. ?1|nr\. ?1|#1|unrivall?ed|unbeatable|unmatched|second to none|one of a kind|only one that|world['’]?s? (?:first|only|no)\p{L}*|market leader|award[- ]winning|(?:first|only) in the world|(?<!am )beste[nrms]? (?!zeit|freund|grüße|wünsche)\p{L}+|(?:der|die|das) (?:beste|schnellste|günstigste|billigste|stärkste|sicherste|gesündeste|einzige)\p{L}*|am (?:schnellsten|günstigsten|stärksten)|nummer eins|marktführer|preisgekrönt\p{L}*|testsieger|unschlagbar\p{L}*|einzigartig\p{L}*`,
    ),
  ],
  [
    'authority',
    rule(
      String.raw`(?:doctors?|dentists?|experts?|scientists?|physicians?|dermatologists?|nutritionists?|vets?|pharmacists?|nurses?|trainers?|professionals?|studies|research(?:ers)?|science|tests?|customers|users) (?:\p{L}+ ){0,2}?(?:recommend|approve|agree|prove|confirm|show|say|swear|trust|love|prefer|endorse)\p{L}*|(?:recommended|approved|endorsed|trusted|certified|tested|loved) by|\d+ out of \d+|nine out of ten|certified|fda|clinically|dermatologically|scientifically|lab[- ]tested|patented|(?:ärzte|ärztinnen|zahnärzte|experten|wissenschaftler|forscher|studien|tests?|kunden) (?:\p{L}+ ){0,2}?(?:empfehl|bestätig|beweis|zeig|belegen|vertrau)\p{L}*|(?:empfohlen|geprüft|getestet|zertifiziert) (?:von|vom|durch)|klinisch|wissenschaftlich|stiftung warentest|zertifiziert\p{L}*|tüv`,
    ),
  ],
  [
    'performance',
    rule(
      String.raw`${AMOUNT}(?:[- ]?x| times|-fold|fold) (?:as|more|less|faster|better|stronger|longer|cheaper|the)(?: \p{L}+)?|(?:doubles?|triples?|halves?|twice) (?:your|the|as|my)(?: \p{L}+)?|(?:up to )?\d+(?:[.,]\d+)? ?(?:%|percent|per cent|prozent) (?:more|less|fewer|faster|better|higher|lower|stronger|longer|of (?:users|customers|people|dentists|doctors)|pure|natural|organic|mehr|weniger|schneller|höher|stärker|länger|der (?:kunden|nutzer))|(?:earn|make|win|gain|lose|save|boost|increase|cut|reduce)s? (?:you |your [\p{L} ]{0,20}?)?(?:up to |by )?[$€£]?\d[\d.,]*|in (?:just|only) \d+ (?:days?|minutes?|hours?|weeks?|tagen|minuten|wochen)|(?:zwei|drei|vier|fünf|zehn|\d+)[- ]?(?:mal|fach) (?:so|mehr|schneller|besser|stärker)?(?: \p{L}+)?|verdoppel\p{L}*|halbier\p{L}*|makes? you (?:\p{L}+ )?(?:productive|richer|smarter|stronger|slimmer|younger|taller|happier)|lasts? (?:up to )?\d+`,
    ),
  ],
  [
    'health',
    rule(
      String.raw`cures?|heals?|treats? (?:\p{L}+ )?(?:pain|acne|disease|anxiety|depression|insomnia|headaches?|cancer|diabetes)|prevents? (?:\p{L}+ )?(?:disease|cancer|colds?|flu|ageing|aging|heart)\p{L}*|detox\p{L}*|weight[- ]loss|lose weight|burns? fat|fat[- ]burning|boosts? (?:your )?(?:immun\p{L}+|metabolism|energy|testosterone|memory)|immune system|lowers? (?:your )?(?:blood pressure|cholesterol)|reliev\p{L}+|anti[- ]?(?:ageing|aging|inflammatory)|side effects?|good for your (?:heart|skin|health|gut|brain)|makes? you (?:healthy|healthier)|heil(?:t|en)|lindert|abnehmen|fettverbrennung|stärkt (?:das|ihr|dein) immunsystem|immunsystem|senkt den blutdruck|gesund für|beugt \p{L}+ vor|schmerzfrei|nebenwirkung\p{L}*`,
    ),
  ],
  [
    'guarantee',
    rule(
      String.raw`guarantee[ds]?|guaranteed|money[- ]back|risk[- ]free|no[- ]risk|proven|100 ?% (?:safe|secure|satisfaction|success)|never (?:fails?|breaks?|disappoints?)|always works|fail[- ]?safe|foolproof|no questions asked|warranty|promise[ds]? (?:you|results)|satisfaction|garantie\p{L}*|garantiert\p{L}*|geld[- ]zurück|ohne risiko|risikofrei\p{L}*|nachweislich|bewiesen|hundertprozentig\p{L}*`,
    ),
  ],
  [
    'environment',
    rule(
      String.raw`(?:carbon|climate|co2)[- ](?:neutral|free|negative|positive)|net[- ]zero|zero[- ](?:emissions?|waste|carbon)|eco[- ]?friendly|environmentally friendly|sustainabl[ey]|biodegradable|compostable|100 ?% recycl\p{L}+|climate[- ]friendly|klimaneutral\p{L}*|umweltfreundlich\p{L}*|nachhaltig\p{L}*|co2[- ]?neutral|emissionsfrei\p{L}*|biologisch abbaubar\p{L}*`,
    ),
  ],
];

/** Rules that would make the lines above longer still: what is said without the plain words for it. */
const more: readonly (readonly [ClaimKind, RegExp])[] = [
  ['performance', /\d\s?(?:%|percent|per cent|prozent)(?![\p{L}\p{N}])/iu],
  [
    'performance',
    rule(
      String.raw`(?:in|within|after|over|under|binnen|nach) (?:just |only |less than |nur |weniger als )?(?:\d+|one|two|three|four|five|ten|a few|eine[rnm]?|zwei|drei|fünf|zehn|wenigen) (?:seconds?|minutes?|hours?|days?|weeks?|sekunden?|minuten?|stunden?|tagen?|wochen?)`,
    ),
  ],
  [
    'performance',
    rule(
      String.raw`(?:\d+|one|two|five|ten|twenty|zehn) (?:years|jahre) (?:younger|jünger)|half (?:the|your|of the) (?:fat|weight|time|cost|effort|work|calories|price|energy)|in half|(?:saves?|gives?|spart|schenkt) (?:you|dir|ihnen) (?:an?|\d+|\p{L}+) (?:hours?|minutes?|days?|time|money|stunden?|minuten|zeit|geld)|(?:works?|wirkt|acts?) (?:instantly|immediately|at once|overnight|like magic|sofort|über nacht)|(?:instant|overnight|immediate) results?|results? (?:in|within|guaranteed)|(?:more|higher|bigger|faster|weniger|höhere) (?:sales|profits?|revenue|conversions?|productivity|returns?)|maximi[sz]e\p{L}*|boosts? (?:your )?\p{L}+`,
    ),
  ],
  [
    'comparison',
    rule(
      String.raw`no (?:other|one else)|nothing (?:\p{L}+ ){1,2}(?:better|faster|cheaper|harder|longer)|(?:as|so) (?:good|strong|fast|cheap|safe|reliable|gut|stark|schnell|günstig) (?:as|wie)|(?:half|a third|a quarter|a fraction) (?:of )?the (?:price|cost)|never need (?:another|any|a)|replaces? (?:your|any|every)|like no other|kein(?:e|er|en)? (?:anbieter|andere[rns]?|produkt|konkurren\p{L}+)|nichts (?:\p{L}+ ){1,2}(?:besser|schneller)`,
    ),
  ],
  [
    'superlative',
    rule(
      String.raw`(?:the|our) most \p{L}+|\p{Lu}\p{L}+['’]s (?:favou?rite|leading|largest|biggest|oldest|first|only|top)|(?:voted|ranked|rated|named|chosen|gewählt)(?: (?:the|as|zum|zur))?|top[- ]rated|world[- ]class|(?:die )?nummer (?:1|eins)|the (?:only|first) (?:\p{L}+ ){0,2}(?:that|to|you|with)|perfect (?:for|solution|choice)|revolutionary|revolution(?:i[sz]es|är\p{L}*)|ultimate|flawless|weltbeste\p{L}*|weltweit (?:beste|erste|führend)\p{L}*|beliebteste\p{L}*|meistverkaufte\p{L}*`,
    ),
  ],
  [
    'authority',
    rule(
      String.raw`(?:\d+|five|one|three|four|fünf)[- ](?:stars?|sterne)|reviews?|testimonials?|(?:\d[\d.,]*|\d+ ?(?:million|thousand)|a million|millions? of|thousands of|hundreds of|tausende|millionen) (?:\p{L}+ ){0,2}?(?:customers|users|people|fans|families|kunden|nutzer|menschen|familien)|as (?:seen|heard) (?:on|in)|(?:award|prize|seal|siegel|auszeichnung)(?:s|en)?|official (?:partner|sponsor|supplier)`,
    ),
  ],
  [
    'health',
    rule(
      String.raw`(?:reduces?|relieves?|eases?|soothes?|fights?|eliminates?|gets? rid of|prevents?|stops?) (?:\p{L}+ ){0,2}?(?:stress|pain|acne|wrinkles?|anxiety|headaches?|allerg\p{L}+|inflammation|bloating|fatigue|snoring|ageing|aging|hair loss|bacteria|germs)|kills? (?:\p{N}|bacteria|germs|viruses|\p{L}+ germs)|sleep (?:better|deeper|through)|(?:safe|gentle|healthy|good) for (?:children|kids|babies|pets|your|the)|(?:zero|no|low|fewer) (?:calories|sugar|fat|carbs|cholesterol)|(?:sugar|gluten|fat|lactose|chemical|toxin|allergen)[- ]free|(?:all[- ])?natural ingredients?|organic|vegan|superfoods?|vitamins?|look(?:s)? (?:\p{L}+ )?younger|slim(?:mer|ming)|hilft (?:gegen|bei)|gut für (?:die|das|ihr|dein)\p{L}*|ohne (?:zucker|zusatzstoffe|chemie|fett)|zuckerfrei|glutenfrei|bio(?:logisch)?|gegen (?:\p{L}*schmerzen|stress|falten|akne|haarausfall)`,
    ),
  ],
  [
    'comparison',
    rule(
      String.raw`out(?:lives?|lasts?|shines?|runs?|sells?)|(?:can(?:no|['’])t|cannot) (?:buy|find|get) (?:an? )?(?:\p{L}+er|better)|for the price of|${BETTER} (?:car|phone|coffee|bank|choice|life|skin|results?|price)s?|(?:besser|schneller|stärker|leichter|länger|günstiger|billiger|sicherer) [^.!?]{1,40}? als`,
    ),
  ],
  [
    'superlative',
    rule(
      String.raw`(?:the )?(?:oldest|largest|biggest|longest|smallest|lightest|thinnest|best|first|fastest|strongest) (?:\p{L}+ ){0,2}(?:in|on|of) (?:the )?(?:world|town|city|country|market|europe|germany|america|earth)`,
    ),
  ],
  [
    'performance',
    rule(
      String.raw`pays? for itself|(?:get|be) paid|makes? you (?:\p{L}+ )?money|macht (?:dich |sie )?(?:\p{L}+ )?(?:schlank|reich|gesund|jung|schön|stark|glücklich|produktiv)\p{L}*`,
    ),
  ],
  [
    'health',
    rule(
      String.raw`(?:say goodbye to|goodbye|free of|without|no more|never again|nie wieder|endlich|schluss mit|frei von) (?:\p{L}+ ){0,2}?(?:wrinkles?|pain|aches?|stress|acne|dandruff|hunger|allerg\p{L}+|schmerz\p{L}*|falten|stress|rost|rust|schuppen)`,
    ),
  ],
  [
    'authority',
    rule(
      String.raw`(?:backed|supported|chosen|loved|used|developed|designed|made) by (?:\p{L}+ )?(?:science|experts?|doctors|chefs|professionals|engineers|scientists|athletes)|(?:von|durch) (?:\p{L}+ )?(?:experten|ärzten|profis|wissenschaftlern|köchen)`,
    ),
  ],
  [
    'guarantee',
    rule(
      String.raw`(?:or|oder) (?:your|dein|ihr) (?:money|geld)|without (?:any )?(?:risk|obligation)|no (?:obligation|commitment|catch|hidden)|(?:100 ?%|completely|totally|absolutely) (?:safe|secure|private|reliable)|(?:last|works?|yours) forever|for (?:life|ever)|lifetime|ein leben lang|lebenslang\p{L}*|versprechen|unverbindlich`,
    ),
  ],
];

/** Sayings so common that they claim nothing. */
const sayings: readonly RegExp[] = [
  /the best of times,? (?:it was )?the worst of times/giu,
  /(?:all the|with) best (?:wishes|regards)/giu,
  /best (?:friends?|man|before)/giu,
  /(?:beste|schlimmste)[nrms]? (?:zeit|freund|grüße|wünsche)\p{L}*/giu,
  /(?:do|did|doing|try|does) (?:my|your|our|his|her|their|its) best/giu,
];

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

/** Commercial claims that a text may make, each kind once, and languages in it that were not checked for any. */
export function findClaims(text: string): Claims {
  const plain = sayings.reduce((left, saying) => left.replace(saying, ' '), text);
  const found = new Map<ClaimKind, Claim>();
  for (const [kind, pattern] of [...rules, ...more]) {
    const words = pattern.exec(plain)?.[0]?.trim();
    if (words !== undefined && !found.has(kind)) found.set(kind, { kind, words });
  }
  const unchecked = Array.from(sentences.segment(text), ({ segment }) => uncheckedIn(segment)).filter(
    (tag) => tag !== null,
  );
  return { found: [...found.values()], unchecked: [...new Set(unchecked)] };
}

/** Names the language of a sentence that the rules do not read; null where they do, or the language is not known. */
function uncheckedIn(sentence: string): string | null {
  const language = textLanguage(sentence);
  if (language !== null) return checkedTags.has(language) ? null : language;
  // no small word tells: letters that neither English nor German has do
  return /[^\p{ASCII}äöüßÄÖÜẞ\P{L}]/u.test(sentence) ? 'und' : null;
}

/** Why a person has to look at the claims of a text; null where the rules find none and could read all of it. */
export function claimReason(what: string, text: string): string | null {
  const { found, unchecked } = findClaims(text);
  const said = found.map(({ kind, words }) => `${JSON.stringify(words)} (${kindNames[kind]})`);
  const parts = [
    ...(said.length > 0 ? [`${what} says ${said.join(', ')}, which may be a claim`] : []),
    ...(unchecked.length > 0
      ? [
          `${said.length > 0 ? 'part of it' : what} is in a language that was not checked for claims (${unchecked.join(', ')}; checked are ${checkedLanguages.join(' and ')})`,
        ]
      : []),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}
