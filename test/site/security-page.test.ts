import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { nobodysHash, passwordCost } from '../../src/accounts/account/password'
import { deviceTime } from '../../src/accounts/sign-in/device'
import { longestTime } from '../../src/accounts/sign-in/session'
import { eventLevels } from '../../src/log/levels'
import { codeLifetime } from '../../src/oauth/device/request'

const text = readFileSync('docs/security.md', 'utf8')
const [, logged = ''] = /## What is logged\n([\s\S]*?)\n## /.exec(text) ?? []

/** The events that the source logs by name. */
function loggedEvents(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const source = files.map((file) => readFileSync(`src/${file}`, 'utf8')).join('\n')
  const calls = source.matchAll(
    /\b(?:log(?:\?\.)?\(|route\('[a-z]+',|logApplication\([^,()]+,)\s*'([a-z_]+)'/g,
  )
  // Written by the log itself.
  return [...new Set([...calls].map(([, event = '']) => event)), 'log_limited'].sort()
}

test('docs/security.md lists every event that is logged, and no others', () => {
  const cells = [...logged.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell)
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, event = '']) => event))
  expect(listed.sort()).toEqual(loggedEvents())
  expect(Object.keys(eventLevels).sort()).toEqual(loggedEvents())
})

test('docs/security.md is right about lifetimes and password hashes', () => {
  expect(text).toContain(`${longestTime / 86_400_000} days in any case`)
  expect(text).toContain(`| A browser that is known | ${deviceTime / 86_400_000} days |`)
  expect(text).toContain(`| A device code and its user code | ${codeLifetime / 60_000} minutes |`)
  const [, version, memory, passes, lanes, salt = '', hash = ''] =
    /^\$argon2id\$v=(\d+)\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$(.+)$/.exec(nobodysHash(passwordCost)) ?? []
  const bytes = [salt, hash].map((part) => Buffer.from(part, 'base64').length)
  expect(text).toContain(
    `argon2id, version ${version}, ${Number(memory) / 1024} MiB, ${passes} passes, ${lanes} lane, salt of ${bytes[0]} bytes, hash of ${bytes[1]} bytes`,
  )
})
