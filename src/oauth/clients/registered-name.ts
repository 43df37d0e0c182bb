import { FieldProblem } from '../../lib/field-problem'
import { fold } from '../../lib/fold'
import { lineProblem } from '../../lib/line-of-text'
import type { Message } from '../../messages/languages'

/** A name as it is kept. Throws a `FieldProblem` unless an application may be called so (AP-07). */
export function registeredName(text: string): string {
  const name = text.normalize('NFC').trim()
  const problem = lineProblem(name, 50, (t) => t.rules.name) ?? nameProblem(name)
  if (problem === undefined) return name
  throw new FieldProblem('usage', 'name', problem)
}

/** Nobody who is asked for consent shall take an application for the instance, or for another with the same letters. */
function nameProblem(name: string): Message | undefined {
  if (unseen.test(name)) return (t) => t.rules.invisibleCharacters
  if (fold(name) !== instanceName) return undefined
  return (t) => t.rules.siteName
}

const instanceName = 'kiroku'

// Of no width, or blank though no white space: format characters, variation selectors, fillers, blank Braille.
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
