import { join } from 'node:path'
import { builder, type Tokenizer } from 'kuromoji'

/** How a title is read, as far as a dictionary can tell: seven times in ten it is right. */
export type ReadingOf = (title: string) => string | undefined

/**
 * Reads the dictionary of kuromoji. A reading is in hiragana, with spaces between the words, other scripts as they are;
 * there is none of a title without kanji.
 */
export async function readReadings(): Promise<ReadingOf> {
  const tokenizer = await new Promise<Tokenizer>((resolve, reject) =>
    builder({ dicPath }).build((error, made) => (error ? reject(error) : resolve(made))),
  )
  return (title) => {
    if (!/\p{Script=Han}/u.test(title)) return undefined
    const words = tokenizer.tokenize(title.normalize('NFKC'))
    return hiragana(words.map(({ reading, surface_form }) => reading ?? surface_form).join(' '))
  }
}

const dicPath = join(import.meta.dir, '../../node_modules/kuromoji/dict')

const hiragana = (text: string) =>
  text
    .replace(/[ァ-ヶ]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
    .replace(/\s+/gu, ' ')
    .trim()
