import { join } from 'node:path'
import { builder, type Tokenizer } from 'kuromoji'

/** From a dictionary: seven in ten are right. */
export type ReadingOf = (title: string) => string | undefined

/** Loads kuromoji. Readings are hiragana with spaces between words; none for titles without kanji. */
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
