import { letterCount, type Script, scriptOf } from './letters'

/** The cost of a break that is not allowed. */
export const never = Infinity

/** Created on first use: it loads a dictionary, 1 ms that a start can do without. */
let segmenter: Intl.Segmenter | undefined
const particles = new Set([...'のをにはがとでもへよや', 'から', 'まで', 'には', 'では', 'とは'])
const neverFirst =
  /^[ー｜、。，．！？!?,.:;・：；」』】〉》）)\]”’…‥ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々〜～\p{M}]|^\u200d|^-/u
const neverLast = /[「『【〈《（([“‘っッ]$/u

/** The cost of a line break before each letter; the first is before the whole title. */
export function breakCosts(letters: readonly string[]): number[] {
  const costs = letters.map(() => insideWord)
  let at = 0
  let before = ''
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' })
  for (const { segment } of segmenter.segment(letters.join(''))) {
    costs[at] = betweenWords(before, segment)
    at += Array.from(segment).length
    before = segment
  }
  return costs.map((cost, place) => costOf(cost, letters[place - 1] ?? '', letters[place] ?? ''))
}

const insideWord = -1

function costOf(between: number, before: string, after: string): number {
  if (neverFirst.test(after) || neverLast.test(before) || after === ' ') return never
  if (before === ' ' || /[、。！？」』】〉》）]/.test(before) || /[「『【〈《（([“]/.test(after)) return 0
  if (/[・：×;:/-]/.test(before)) return 2
  const [left, right] = [scriptOf(before), scriptOf(after)]
  if (left === 'alphabet' && right === 'alphabet') return never
  if (/[!?]/.test(before)) return right === 'alphabet' ? never : 0
  if (between !== insideWord) return between
  if (left === 'other' || right === 'other') return left === right ? never : 20
  return left === 'kanji' && right === 'hiragana' ? 90 : 70
}

function betweenWords(before: string, after: string): number {
  const [left, right] = [scriptOf(before.at(-1) ?? ''), scriptOf(Array.from(after)[0] ?? '')]
  if (particles.has(after)) return 60
  const isParticle = particles.has(before)
  if (isParticle && right !== 'hiragana' && right !== 'other') return 1
  if (left === right) return withinScript(left, isParticle, Math.min(letterCount(before), letterCount(after)))
  if (right === 'kanji' && (left === 'katakana' || left === 'alphabet')) return 4
  if (right === 'hiragana') return letterCount(after) === 1 ? 60 : 6
  return left === 'hiragana' ? 4 : 6
}

function withinScript(script: Script, isAfterParticle: boolean, shortest: number): number {
  if (script === 'kanji') return 15
  if (script === 'katakana') return shortest < 3 ? 40 : 18
  if (isAfterParticle) return 5
  return shortest === 1 ? 30 : 12
}
