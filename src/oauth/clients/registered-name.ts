import { fold } from '../../lib/fold'
import type { Message } from '../../messages/languages'
import { anyText, lineOfText } from '../../values/text'
import { InvalidValue, mapped } from '../../values/value'

const line = lineOfText(50, (t) => t.rules.name)

/** AP-07: trimmed and in NFC. */
export const registeredName = mapped(
  mapped(anyText, (text) => line.read(text.normalize('NFC').trim())),
  (name) => {
    const problem = nameProblem(name)
    return problem === undefined ? name : new InvalidValue(problem)
  },
)

function nameProblem(name: string): Message | undefined {
  if (invisible.test(name)) return (t) => t.rules.invisibleCharacters
  if (fold(name) !== instanceName) return undefined
  return (t) => t.rules.siteName
}

const instanceName = 'kiroku'

// Zero-width or blank, but not white space: format characters, variation selectors, fillers, blank Braille.
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
