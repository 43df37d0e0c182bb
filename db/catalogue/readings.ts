import { join } from 'node:path'
import { builder, type Tokenizer } from 'kuromoji'
import type { ReadingOf } from '../../src/catalogue/default/sources'
import { hiragana } from '../../src/catalogue/hiragana'
import misread from './misread.txt' with { type: 'text' }

/** Loads kuromoji, a dictionary, seven in ten of whose readings are right; `misread.txt` corrects others. */
export async function readReadings(): Promise<ReadingOf> {
  const tokenizer = await new Promise<Tokenizer>((resolve, reject) =>
    builder({ dicPath }).build((error, made) => (error ? reject(error) : resolve(made))),
  )
  return (title) => {
    if (!/\p{Script=Han}/u.test(title)) return undefined
    const parts = title.normalize('NFKC').split(knownParts)
    return hiragana(parts.map((part) => known.get(part) ?? fromDictionary(tokenizer, part)).join(' '))
  }
}

const fromDictionary = (tokenizer: Tokenizer, text: string) =>
  tokenizer
    .tokenize(text)
    .map(({ reading, surface_form }) => reading ?? surface_form)
    .join(' ')

/** Parts of titles that the dictionary misreads. */
const known = new Map(
  misread
    .trim()
    .split('\n')
    .map((line): [string, string] => {
      const [part = '', reading = ''] = line.split(': ')
      return [part, reading]
    }),
)
const knownParts = new RegExp(`(${[...known.keys()].join('|')})`, 'u')

const dicPath = join(import.meta.dir, '../../node_modules/kuromoji/dict')
