import { expect, test } from 'bun:test'
import { optionTable, settings } from '../src/config'
import { optionsMarkdown } from './support/options-markdown'

test.each([
  ['https://kiroku.example', 'https://kiroku.example'],
  ['https://kiroku.example/', 'https://kiroku.example'],
  ['HTTP://Kiroku.Example:80/log//', 'http://kiroku.example/log'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['https://日本.example', 'https://xn--wgv71a.example'],
])('D2: the base URL %s is kept as %s', (text, kept) => {
  expect(settings.baseUrl.value.read(text)).toBe(kept)
})

test('D53: the rate limit is off or a number', () => {
  expect(settings.rateLimit.value.read('off')).toBeNull()
  expect(settings.rateLimit.value.read('1')).toBe(1)
})

test('the table in Markdown names every option, its variable, its default and its effect', () => {
  const rows = optionsMarkdown().trimEnd().split('\n').slice(2)
  expect(rows).toHaveLength(optionTable.length)
  optionTable.forEach((option, index) => {
    expect(rows[index]).toContain(`--${option.name}`)
    expect(rows[index]).toContain(option.sentence)
    expect(rows[index]).toContain(option.defaultText)
    // an unescaped bar would begin another column
    expect(rows[index]?.replaceAll('\\|', '').split('|')).toHaveLength(7)
  })
})
