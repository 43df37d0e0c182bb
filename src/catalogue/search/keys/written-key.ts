import { fold, withoutMarks } from '../../../lib/fold'
import { kanjiForms } from './kanji-forms'

/**
 * A text as it is written, as `filter_query` compares it: the fold of D17 without marks, small kana as large ones, kana
 * that sound alike as one, letters without diacritics, and the Chinese and old forms of a kanji as one. The key of a key
 * is itself.
 */
export const writtenKey = (text: string): string => writtenForm(withoutMarks(fold(text)))

/** The same of a folded text without marks; spaces in it stay. */
export function writtenForm(folded: string): string {
  if (isPlain.test(folded)) return folded
  forms ??= formsOf()
  return folded
    .replace(alikeKana, (letter) => kana.get(letter) ?? letter)
    .replace(forms.any, (letter) => forms?.one.get(letter) ?? letter)
    .replace(/[ß-ɏḀ-ỿ]/g, (letter) => letter.normalize('NFD'))
    .replace(/[\u0300-\u036f]+/g, '')
    .replace(/[ßæøđıłœ]/g, (letter) => latin.get(letter) ?? letter)
}

const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(Array.from({ length: text.length / 2 }, (_, at) => [text.charAt(2 * at), text.charAt(2 * at + 1)]))

const isPlain = /^[a-z0-9 ]*$/
const kana = pairsOf('ぁあぃいぅうぇえぉおっつゃやゅゆょよゎわゕかゖけづずぢじゑえゐいをお')
const alikeKana = /[ぁぃぅぇぉっゃゅょゎゕゖづぢゑゐを]/g
const latin = new Map([
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ß', 'ss'],
  ['đ', 'd'],
  ['ł', 'l'],
  ['ı', 'i'],
])

/** Made when first needed: a server need not be asked for anything. */
let forms: ReturnType<typeof formsOf> | undefined

function formsOf() {
  const one = pairsOf(kanjiForms)
  return { one, any: new RegExp(`[${[...one.keys()].join('')}]`, 'g') }
}
