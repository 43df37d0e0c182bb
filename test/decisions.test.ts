import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const explained = (path: string) =>
  new Set([...read(path).matchAll(/^- \*\*([\w -]+)\*\*/gm)].map(([, id]) => id))
const decisions = explained('docs/decisions.md')
const checklist = explained('docs/oauth.md')

/** All matches of a pattern, each with a file that contains it. */
function mentions(pattern: RegExp): Map<string, string> {
  const files = [...new Glob('{src,test,bench,scripts,db}/**/*.{ts,sql}').scanSync(root)]
  return new Map(
    files.flatMap((file) =>
      [...read(file).matchAll(pattern)].map((match): [string, string] => [match[1] ?? match[0], file]),
    ),
  )
}

test('every decision that is named is explained in docs/decisions.md', () => {
  const named = mentions(/\bD[1-9][0-9]{0,2}\b(?!\w)/g)
  expect([...named].filter(([id]) => !decisions.has(id))).toEqual([])
  expect(named.size).toBeGreaterThan(60)
})

test('so is every promise', () => {
  const named = mentions(/\bpromise ([0-9]+)\b/gi)
  expect([...named].filter(([number]) => !decisions.has(`Promise ${number}`))).toEqual([])
  expect(named.size).toBeGreaterThan(4)
})

test('every id of the OAuth checklist that is named is explained in docs/oauth.md', () => {
  const named = mentions(/\b(?:AZ|TK|TI|BR|RV|IN|MD|AP|PT|ST)-[0-9]{2}\b/g)
  expect([...named].filter(([id]) => !checklist.has(id))).toEqual([])
  expect(named.size).toBeGreaterThan(80)
})

test('and so is every section of it', () => {
  const sections = new Set(
    [...read('docs/oauth.md').matchAll(/^- \*\*(2\.[0-9]) /gm)].map(([, number]) => number),
  )
  const named = mentions(/oauth\.md §([0-9.]+[0-9])/g)
  expect([...named].filter(([number]) => !sections.has(number))).toEqual([])
  expect(named.size).toBeGreaterThan(4)
})
