import { expect, test } from 'bun:test'
import { output, run } from '../support/in-process'
import { temporaryDirectory } from '../support/kiroku'
import { withUsers } from '../support/made-users'

test('kiroku feed create, list and revoke (D83)', async () => {
  using directory = temporaryDirectory()
  await withUsers(directory, 'mio')
  const made = await output(directory, ['feed', 'create', 'mio', '--alarm', '10', '--name', 'Phone'])
  expect(made).toMatch(/^http:\/\/[^/]+\/feeds\/kir_fd_[0-9A-Za-z]{49}\.ics\n$/)
  const [feed] = JSON.parse(await output(directory, ['feed', 'list', 'mio', '--json']))
  expect(feed).toEqual({ id: 1, name: 'Phone', created_at: expect.stringMatching(/Z$/), last_used_at: null })
  expect(await output(directory, ['feed', 'list', 'mio'])).toContain('Phone')
  expect((await run(directory, ['feed', 'create', 'mio', '--alarm', '11'])).code).toBe(64)
  const elsewhere = ['--base-url', 'https://kiroku.example/anime']
  expect(await output(directory, ['feed', 'create', 'mio', ...elsewhere])).toStartWith(
    'https://kiroku.example/anime/feeds/kir_fd_',
  )
  await output(directory, ['feed', 'revoke', '2'])
  expect((await run(directory, ['feed', 'create', 'nobody'])).code).toBe(65)
  expect(await output(directory, ['feed', 'revoke', '1'])).toBe('revoked the feed 1\n')
  expect((await run(directory, ['feed', 'revoke', '1'])).code).toBe(65)
  for (let n = 0; n < 5; n++) await output(directory, ['feed', 'create', 'mio'])
  const refused = await run(directory, ['feed', 'create', 'mio'])
  expect([refused.code, refused.stderr]).toEqual([65, expect.stringContaining('5 addresses')])
})
