import { readFileSync } from 'node:fs'
import { settings } from '../src/config'
import { providerOptions } from '../src/options/providers'
import { isAmong, sources } from './sources'

/** Functions and values that src exports but no other file names, not even a test. Types may be named by inference. */
export function unusedExports(): string[] {
  const files = ['src', 'db', 'test', 'scripts', 'bench'].flatMap(sources)
  const words = new Map(files.map((file) => [file, wordsOf(file)]))
  return sources('src').flatMap((file) =>
    exportsOf(file)
      .filter((name) => !words.entries().some(([other, used]) => other !== file && used.has(name)))
      .map((name) => `${file}: nobody imports ${name}`),
  )
}

/** Those of a provider are read together. */
const readByName = () => Object.keys(settings).filter((name) => !(name in providerOptions))

/** Settings that users can give but that nothing reads. */
export function unreadSettings(names = readByName()): string[] {
  const reading = sources('src').filter((file) => !isAmong(file, ['src/config.ts', 'src/options']))
  const words = reading.map(wordsOf)
  return names
    .filter((name) => !words.some((used) => used.has(name)))
    .map((name) => `src/config.ts: nothing reads the setting ${name}`)
}

const exportsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  )

const wordsOf = (file: string): ReadonlySet<string> =>
  new Set(
    readFileSync(file, 'utf8')
      .matchAll(/[A-Za-z_]\w*/g)
      .map(([word]) => word),
  )
