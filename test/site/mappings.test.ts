import { afterAll, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { createMember, hiddenInputs } from '../support/visitor'

const kiroku = await createInstance({})
await kiroku.deps.write((tx) =>
  tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'azusa').execute(),
)
const azusa = await createMember(kiroku, 'azusa')
afterAll(kiroku.close)

const path = '/admin/catalogue/mappings'
const send = async (content: string | Uint8Array<ArrayBuffer>) => {
  const { csrf = '' } = hiddenInputs((await azusa.open(path)).text, path)
  const body = new FormData()
  body.set('csrf', csrf)
  body.set('file', new File([content], 'mappings.json'))
  return await azusa.open(path, {
    method: 'POST',
    body,
    headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
  })
}
const plain = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('an administrator installs a mapping file, sees what it covers, and removes it', async () => {
  const file = JSON.stringify({
    'tvdb_show:9:s1': { 'mal:5114': { '1-12': '1-12' }, 'mal:1': { '1-12': '1-12' } },
  })
  const sent = await send(Uint8Array.from(Bun.zstdCompressSync(file)))
  expect([sent.status, sent.location]).toEqual([303, path])
  const { text } = await azusa.open(path)
  expect(plain(text)).toMatch(/anibridge sent by a browser .* 2 \d+ \d+ Remove/)
  expect(kiroku.lines.some(({ event }) => event === 'mapping_installed')).toBe(true)
  await azusa.submit(path, {}, `${path}/anibridge/remove`)
  expect(kiroku.store.handle.query('select id from mapping_files').all()).toEqual([])
  expect(plain((await azusa.open(path)).text)).not.toContain('anibridge sent')
})

test('another file is refused with the reason, one larger than 5 MiB too, and nobody else may', async () => {
  expect([(await send('{"a": 1}')).status, plain((await send('{"a": 1}')).text)]).toEqual([
    422,
    expect.stringContaining('This is no mapping file'),
  ])
  expect(plain((await send('<!doctype x><anime-list/>')).text)).toContain('document type')
  expect((await send(new Uint8Array(5 * 1024 * 1024 + 65_536))).status).toBe(413)
  const { csrf = '' } = hiddenInputs((await azusa.open(path)).text, path)
  expect((await azusa.post(`${path}/anibridge/remove`, { csrf })).status).toBe(404)
  expect((await azusa.post(`${path}/other/remove`, { csrf })).status).toBe(404)
  const mio = await createMember(kiroku, 'mio')
  expect((await mio.open(path)).status).toBe(403)
})
