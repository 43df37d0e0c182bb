import { afterAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInstance } from '../support/instance'
import { createMember, hiddenInputs } from '../support/visitor'

const kiroku = await createInstance({})
await kiroku.deps.write((tx) =>
  tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'azusa').execute(),
)
const azusa = await createMember(kiroku, 'azusa')
afterAll(kiroku.close)

const path = '/admin/catalogue/mappings'
const send = async (
  content: string | Uint8Array<ArrayBuffer>,
  { visitor = azusa, origin = 'http://localhost:3000', csrf = '' } = {},
) => {
  const body = new FormData()
  body.set('csrf', csrf || (hiddenInputs((await azusa.open(path)).text, path).csrf ?? ''))
  body.set('file', new File([content], 'mappings.json'))
  const site = origin === 'http://localhost:3000' ? 'same-origin' : 'cross-site'
  return await visitor.open(path, { method: 'POST', body, headers: { origin, 'sec-fetch-site': site } })
}
const plain = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('an administrator installs a mapping file, sees what it covers, and removes it', async () => {
  const file = JSON.stringify({
    'tvdb_show:9:s1': { 'mal:5114': { '1-12': '1-12' }, 'mal:1': { '1-12': '1-12' } },
  })
  const sent = await send(Uint8Array.from(Bun.zstdCompressSync(file)))
  expect([sent.status, sent.location]).toEqual([303, path])
  const { text } = await azusa.open(path)
  expect(plain(text)).toMatch(/anibridge mappings\.json .* 2 \d+ \d+ Remove/)
  expect(kiroku.lines.some(({ event }) => event === 'mapping_installed')).toBe(true)
  await azusa.submit(path, {}, `${path}/anibridge/remove`)
  expect(kiroku.store.handle.query('select id from mapping_files').all()).toEqual([])
  expect(plain((await azusa.open(path)).text)).not.toContain('anibridge mappings')
})

test('a file of 12 MiB is installed from the page, as those of the communities are', async () => {
  const entries = Array.from({ length: 300 }, (_, n) => [
    `tvdb_show:${n + 1}:s1`,
    { 'mal:5114': { '1-12': '1-12' }, [`note:${'x'.repeat(44_000)}`]: {} },
  ])
  const file = JSON.stringify(Object.fromEntries(entries))
  expect(file.length).toBeGreaterThan(12 * 1024 * 1024)
  expect((await send(file)).status).toBe(303)
  expect(kiroku.store.handle.query('select ranges from mapping_files').values()).toEqual([[300]])
  await azusa.submit(path, {}, `${path}/anibridge/remove`)
})

test('another file is refused with the reason, one larger than 32 MiB too, and nobody else may', async () => {
  expect([(await send('{"a": 1}')).status, plain((await send('{"a": 1}')).text)]).toEqual([
    422,
    expect.stringContaining('This is no mapping file'),
  ])
  expect(plain((await send('<!doctype x><anime-list/>')).text)).toContain('document type')
  const none = await send('')
  expect([none.status, plain(none.text)]).toEqual([422, expect.stringContaining('The file is empty')])
  const large = await send(new Uint8Array(33 * 1024 * 1024))
  expect([large.status, plain(large.text)]).toEqual([413, expect.stringContaining('larger than 32 MiB')])
  const { csrf = '' } = hiddenInputs((await azusa.open(path)).text, path)
  expect((await azusa.post(`${path}/anibridge/remove`, { csrf })).status).toBe(404)
  expect((await azusa.post(`${path}/other/remove`, { csrf })).status).toBe(404)
  const mio = await createMember(kiroku, 'mio')
  expect((await mio.open(path)).status).toBe(403)
  expect((await send('{}', { visitor: mio })).status).toBe(403)
  expect((await send('{}', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await send('{}', { csrf: 'x' })).status).toBe(403)
  const uploads = join(kiroku.deps.config.data, 'uploads')
  expect(existsSync(uploads) ? readdirSync(uploads) : []).toEqual([])
})
