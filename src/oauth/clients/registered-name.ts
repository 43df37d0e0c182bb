import { fold } from '../../lib/fold'
import type { Message } from '../../messages/languages'
import { anyText, lineOfText } from '../../values/text'
import { InvalidValue, mapped } from '../../values/value'

const line = lineOfText(50, (t) => t.rules.name)

/** The name of an application, as it is kept (AP-07). */
export const registeredName = mapped(
  mapped(anyText, (text) => line.read(text.normalize('NFC').trim())),
  (name) => {
    const problem = nameProblem(name)
    return problem === undefined ? name : new InvalidValue(problem)
  },
)

/** Nobody who is asked for consent shall take an application for the instance, or for another with the same letters. */
function nameProblem(name: string): Message | undefined {
  if (unseen.test(name)) return (t) => t.rules.invisibleCharacters
  if (fold(name) !== instanceName) return undefined
  return (t) => t.rules.siteName
}

const instanceName = 'kiroku'

// Of no width, or blank though no white space: format characters, variation selectors, fillers, blank Braille.
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
