import { FieldProblem } from '../lib/field-problem'
import { fold } from '../lib/fold'
import { lineProblem } from '../lib/line-of-text'
import { type Words, words } from '../lib/words'

/** A name as it is kept. Throws a `FieldProblem` unless an application may be called so (AP-07). */
export function registeredName(text: string): string {
  const name = text.normalize('NFC').trim()
  const problem = lineProblem(name, 50) ?? nameProblem(name)
  if (problem === undefined) return name
  throw new FieldProblem('usage', 'name', words(`the name ${problem.en}`, problem.ja))
}

/** Nobody who is asked for consent shall take an application for the instance, or for another with the same letters. */
function nameProblem(name: string): Words | undefined {
  if (unseen.test(name)) return words('must not hold characters that nobody sees', '見えない文字は使えません')
  if (fold(name) !== instanceName) return undefined
  return words('must not be the one of this instance', 'このインスタンスの名前は使えません')
}

const instanceName = 'kiroku'

// Of no width, or blank though no white space: format characters, variation selectors, fillers, blank Braille.
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
