import type { RatingState } from '../library/ratings'

/** Parts of usernames, which have at most 20 characters including four digits. */
export const givenNames =
  list(`akari aoi ayaka chika daiki emi fumi hana haruka hikaru hina hotaru ichika itsuki jun
  kaede kanade kaoru kazuki kei koharu kota mai makoto mayu mei miku minato misaki nagi nana natsu nozomi rei ren riko
  rin saki sakura shiori shun sora suzu takumi tomo tsubasa tsumugi yama yoshi yuki yuna yuto zen`)

export const endings =
  list(`anime neko inu usagi hoshi tsuki kaze umi yume niji mori kawa hikari kumo ame fuyu haru aki
  log watch mochi dango ramen cha mikan ringo fox cat owl moon star`)

export const nicknames =
  list(`あかり あおい はるか ひかる ほたる いつき かえで かなで こはる みなと みさき のぞみ れい りん
  さくら しおり そら つばさ つむぎ ゆき 星野 月見 深夜アニメ勢 録画勢 アニメ好き 積みアニメ みかん 柴犬 三日月 夜更かし`)

export const profiles = {
  ja: list(`深夜アニメを中心に見ています。 日常系とSFが好きです。 視聴記録用のアカウント。
    録画を消化するだけの毎日です。 原作は読まずに見る派。ネタバレ注意。 社会人。週末にまとめて見ます。`),
  en: lines(`Watching a bit of everything.
    Mostly slice of life and science fiction.
    Seasonal watcher. Sparse comments.
    Here to keep track of what I have seen.`),
} as const

export const phrases: Readonly<Record<'ja' | 'en', Readonly<Record<RatingState, PhraseList>>>> = {
  ja: {
    great: list(`最高だった。 めちゃくちゃ面白かった！ 神回。 泣いた。 作画がすごすぎる。 演出が本当に丁寧。
      音楽の入り方が完璧だった。 何度でも見返したい。 声優さんの演技に鳥肌が立った。 EDの入りで一気に持っていかれた。`),
    good: list(`面白かった。 楽しく見られた。 よかった。 テンポがいい。 だんだん話が動いてきた。 キャラがかわいい。
      背景がきれい。 OPが頭から離れない。 掛け合いが楽しい。 次回も楽しみ。 新キャラがいい味を出している。`),
    average:
      list(`まあまあ。 今回は準備回かな。 少し展開が駆け足だった。 もう少し様子を見る。 説明が多かった。
      作画が少し不安定だった。`),
    bad: list('うーん。 合わなかった。 展開についていけない。 正直、退屈だった。 ここで切るかもしれない。'),
  },
  en: {
    great: lines(`Absolutely incredible.
      Best episode so far.
      I was not ready for that ending.
      Everything they set up finally pays off.
      The soundtrack carried that scene.
      Rewatched the last five minutes three times.`),
    good: lines(`Really enjoyed this one.
      Solid episode.
      The banter is great.
      Looking forward to next week.
      The backgrounds are gorgeous.
      It keeps getting better.
      The opening is stuck in my head.`),
    average: lines(`It was fine.
      A bit slow this time.
      Mostly setup.
      Felt rushed in places.
      I will give it another episode.`),
    bad: lines(`Not for me.
      I have no idea what is going on.
      Disappointing after last week.
      Probably dropping this.`),
  },
}

type PhraseList = readonly [string, ...string[]]

function list(text: string, gap = /\s+/): PhraseList {
  const [first = '', ...others] = text.trim().split(gap)
  return [first, ...others]
}

function lines(text: string): PhraseList {
  return list(text, /\n\s*/)
}
