import { expect, test } from 'bun:test'
import { settings } from '../src/config'

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
