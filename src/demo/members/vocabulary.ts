/** The parts that made-up users are called by: together a username has at most 20 characters. */
export const givenNames = [
  ...([
    'akari',
    'aoi',
    'ayaka',
    'chika',
    'daiki',
    'emi',
    'fumi',
    'hana',
    'haruka',
    'hikaru',
    'hina',
  ] as const),
  ...(['hotaru', 'ichika', 'itsuki', 'jun', 'kaede', 'kanade', 'kaoru', 'kazuki', 'kei', 'koharu'] as const),
  ...(['kota', 'mai', 'makoto', 'mayu', 'mei', 'miku', 'minato', 'misaki', 'nagi', 'nana', 'natsu'] as const),
  ...(['nozomi', 'rei', 'ren', 'riko', 'rin', 'saki', 'sakura', 'shiori', 'shun', 'sora', 'suzu'] as const),
  ...(['takumi', 'tomo', 'tsubasa', 'tsumugi', 'yama', 'yoshi', 'yuki', 'yuna', 'yuto', 'zen'] as const),
] as const

export const endings = [
  ...(['anime', 'neko', 'inu', 'usagi', 'hoshi', 'tsuki', 'kaze', 'umi', 'yume', 'niji', 'mori'] as const),
  ...(['kawa', 'hikari', 'kumo', 'ame', 'yuki', 'fuyu', 'natsu', 'haru', 'aki', 'log', 'watch'] as const),
  ...(['mochi', 'dango', 'ramen', 'cha', 'mikan', 'ringo', 'fox', 'cat', 'owl', 'moon', 'star'] as const),
] as const

export const nicknames = [
  ...(['あかり', 'あおい', 'はるか', 'ひかる', 'ほたる', 'いつき', 'かえで', 'かなで', 'かおる'] as const),
  ...(['こはる', 'みなと', 'みさき', 'なぎ', 'のぞみ', 'れい', 'りん', 'さくら', 'しおり', 'そら'] as const),
  ...([
    'すず',
    'つばさ',
    'つむぎ',
    'ゆき',
    '星野',
    '月見',
    '深夜アニメ勢',
    '録画勢',
    'ねこ',
    'もち',
  ] as const),
  ...(['アニメ好き', '積みアニメ', '週末一気見', 'みかん', '林檎', '柴犬', '三日月', '夜更かし'] as const),
] as const

export const profiles = {
  ja: [
    '深夜アニメを中心に見ています。',
    '今期は10本くらい視聴中。感想は控えめです。',
    '日常系とSFが好きです。',
    '視聴記録用のアカウント。',
    '録画を消化するだけの毎日です。',
    '原作は読まずに見る派。ネタバレ注意。',
    '音楽と背景美術に注目しています。',
    '社会人。週末にまとめて見ます。',
  ],
  en: [
    'Watching a bit of everything.',
    'Mostly slice of life and science fiction.',
    'Catching up on the classics, one episode a night.',
    'Seasonal watcher. Sparse comments.',
    'Here to keep track of what I have seen.',
    'I rate generously.',
  ],
} as const
