import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { sources } from '../../scripts/sources'

const textOf = (folder: string) =>
  sources(folder)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
const declaration = /defineAct\(\{\s*path: '([^']+)'/g
const viewing = textOf('src/viewing')
const acts = [...viewing.matchAll(declaration)].map(([, path = '']) => path)
const pages = viewing.replaceAll(declaration, '')
const tests = ['test/viewing', 'test/site', 'test/browser'].map(textOf).join('\n')

/** The address as a source writes it: any part but the last may be computed. */
function written(path: string): RegExp {
  const parts = path.slice(1).split('/')
  const last = parts.pop()
  const before = parts.map((part) => `/(?:${part}|\\$\\{\\w+\\})`).join('')
  return new RegExp(`(?:['"\`]|basePath\\})${before}/${last}['"\`?]`)
}

test('acts are found', () => {
  expect(acts).toContain('/skip')
})

// The messages are short: a failing `toMatch` would print all sources.
test.each(acts)('the act %s has a form on a page, and a test of a page presses it', (path) => {
  const places = { 'a page': written(path).test(pages), 'a test of a page': written(path).test(tests) }
  expect(places).toEqual({ 'a page': true, 'a test of a page': true })
})
