import { fold, withoutMarks } from '../../../lib/fold'

/** In capitals, unlike written keys. Kana and all their romanizations share one key. Empty for other scripts. */
export const soundKey = (text: string): string => soundForm(withoutMarks(fold(text)))

/** For a folded text without punctuation; keeps spaces. */
export function soundForm(folded: string): string {
  if (!/^[ぁ-ゔa-z0-9\u00c0-\u024f\u1e00-\u1eff ]+$/.test(folded)) return ''
  const plain = /[\u00c0-\u024f\u1e00-\u1eff]/.test(folded)
    ? folded
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
    : folded
  if (!/^[ぁ-ゔa-z0-9 ]+$/.test(plain)) return ''
  return romanized(plain)
    .replace(/(t?ch|sh|j)(i?)/g, (_, sound: string, i: string) => `${palatal.get(sound)}${i || 'y'}`)
    .replace(/ts|dz|d(?=[iu])|ph|w(?=[iueo])|m(?=[bpm])|[flvcqx]/g, (sound) => alike.get(sound) ?? '')
    .replace(/oh(?![aiueoy])/g, 'o')
    .replace(/aa+|ii+|uu+|e[ei]+|o[ou]+/g, (vowels) => vowels.charAt(0))
    .replace(/([b-df-hj-np-tv-z])\1+/g, '$1')
    .toUpperCase()
}

const palatal = new Map([
  ['ch', 't'],
  ['tch', 't'],
  ['sh', 's'],
  ['j', 'z'],
])

const alike = new Map([
  ['ts', 't'],
  ['dz', 'z'],
  ['d', 'z'],
  ['ph', 'h'],
  ['w', ''],
  ['m', 'n'],
  ['f', 'h'],
  ['l', 'r'],
  ['v', 'b'],
  ['c', 'k'],
  ['q', 'k'],
  ['x', 'kus'],
])

/** きゃ is kya, ちぇ tye, ふぁ ha. A loop, since `replace` would call back for each kana. */
function romanized(text: string): string {
  if (/^[a-z0-9 ]*$/.test(text)) return text
  const parts: string[] = []
  for (let at = 0; at < text.length; at++) {
    const syllable = syllables.get(text.charAt(at))
    const small = syllable === undefined ? undefined : smallKana.get(text.charAt(at + 1))
    parts.push(small === undefined ? (syllable ?? text.charAt(at)) : joined(syllable ?? '', small))
    if (small !== undefined) at++
  }
  return parts.join('')
}

function joined(syllable: string, small: string): string {
  const consonant = syllable.slice(0, -1)
  return syllable.endsWith('i') && small === 'e' && consonant !== '' ? `${consonant}ye` : consonant + small
}

const rows = [
  ['', 'あいうえお'],
  ['', 'ぁぃぅぇぉ'],
  ['', '＿ゐ＿ゑを'],
  ['k', 'かきくけこ'],
  ['g', 'がぎぐげご'],
  ['s', 'さしすせそ'],
  ['z', 'ざじずぜぞ'],
  ['z', '＿ぢづ＿＿'],
  ['t', 'たちつてと'],
  ['d', 'だ＿＿でど'],
  ['n', 'なにぬねの'],
  ['h', 'はひふへほ'],
  ['b', 'ばびぶべぼ'],
  ['b', '＿＿ゔ＿＿'],
  ['p', 'ぱぴぷぺぽ'],
  ['m', 'まみむめも'],
  ['y', 'や＿ゆ＿よ'],
  ['y', 'ゃ＿ゅ＿ょ'],
  ['r', 'らりるれろ'],
  ['w', 'わ＿＿＿＿'],
  ['w', 'ゎ＿＿＿＿'],
] as const

/** っ only doubles the next letter. */
const syllables = new Map([
  ...rows.flatMap(([consonant, row]) =>
    [...row].map((kana, at): [string, string] => [kana, consonant + 'aiueo'.charAt(at)]),
  ),
  ['っ', ''],
  ['ん', 'n'],
])

const smallKana = new Map([...'ぁぃぅぇぉゃゅょ'].map((kana) => [kana, syllables.get(kana) ?? '']))
