import { Converter } from 'opencc-js'

/**
 * Prints the Chinese and old forms of kanji that a search treats as one, from the tables of opencc-js:
 * `bun scripts/kanji-forms.ts > src/catalogue/search/keys/kanji-forms.ts`, then `bun run format`.
 */
const traditional = Converter({ from: 'jp', to: 't' })
const simplified = Converter({ from: 't', to: 'cn' })

/** Pairs that the tables do not unify. */
const missing = new Map([
  ['鬥', '斗'],
  ['鬪', '斗'],
  ['鬭', '斗'],
  ['闘', '斗'],
])

const nextOf = (form: string) => missing.get(form) ?? simplified(traditional(form))

/** The tables may lead from one form to the next, even in a circle. */
function lastOf(form: string): string {
  const seen = new Set([form])
  for (let next = nextOf(form); !seen.has(next); next = nextOf(next)) seen.add(next)
  return [...seen].at(-1) ?? form
}

const pairs = Array.from({ length: 0xa000 - 0x4e00 }, (_, at) => String.fromCharCode(0x4e00 + at))
  .map((form) => [form, lastOf(form)] as const)
  .filter(([form, one]) => one !== form && one.length === 1)

const lines = Array.from({ length: Math.ceil(pairs.length / 26) }, (_, at) =>
  pairs
    .slice(at * 26, (at + 1) * 26)
    .flat()
    .join(''),
)

process.stdout.write(`// Made by scripts/kanji-forms.ts from the tables of opencc-js (Apache-2.0). Do not edit.

/** Pairs of a kanji variant (old, Japanese, Chinese) and the form it is compared as. */
export const kanjiForms: string =
${lines.map((line) => `  '${line}'`).join(' +\n')}
`)
