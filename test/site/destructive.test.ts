import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { routes } from '../../src/app'
import { createInstance } from '../support/instance'
import { pageSamples } from '../support/page-samples'
import { createMember, type Visitor } from '../support/visitor'

const kiroku = await createInstance({ config: { registration: 'open' } })
const { deps } = kiroku
afterAll(kiroku.close)

let azusa: Visitor
let targets: string[] = []
beforeAll(async () => {
  const change = { is_admin: 1 }
  await deps.write((tx) => tx.updateTable('users').set(change).where('username', '=', 'azusa').execute())
  const samples = await pageSamples(kiroku)
  azusa = await createMember(kiroku, 'azusa')
  // With another session, there is one to end.
  await createMember(kiroku, 'azusa')
  targets = routes.filter(({ method }) => method === 'GET').map(({ path }) => samples[path] ?? path)
})

const buttons = (html: string) =>
  [...html.matchAll(/<button\b([^>]*)>/g)].map(([, attributes = '']) => attributes)

/** Separate places: parts of a page for destructive actions, the last cells of rows, and menus below their line. */
const apart =
  /<section class="danger-zone">[\s\S]*?<\/section>|<td role="cell" class="actions">[\s\S]*?<\/td>|<hr \/>(?:(?!<\/details>)[\s\S])*<\/details>/g

describe('a destructive action', () => {
  test('is never next to anything else: it has its own page, part or cell', async () => {
    const found: string[] = []
    let seen = 0
    for (const target of targets) {
      const { text } = await azusa.open(target)
      const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(text)?.[1] ?? ''
      seen += [...main.matchAll(/class="(?:danger|destroy)"/g)].length
      if (/class="danger"/.test(main.replaceAll(apart, ''))) found.push(`${target}: among others`)
      if (main.includes('class="destroy"') && buttons(main).length !== 1) found.push(`${target}: not alone`)
      for (const [cell] of main.matchAll(apart))
        if (cell.startsWith('<td') && [...cell.matchAll(/<a\b|<button\b/g)].length > 1)
          found.push(`${target}: row`)
    }
    expect(found).toEqual([])
    expect(seen).toBeGreaterThan(12)
  })

  test('asks for confirmation if it cannot be undone or affects somebody else', () => {
    const asked = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
    const posts = routes.filter(({ method }) => method === 'POST').map(({ path }) => path)
    // Deleting an import keeps what it added; a suggestion of one's own that is withdrawn can still be read.
    const undone = ['/record/delete', '/viewing/delete', '/comments/delete', '/lists/delete']
    const harmless = [...undone, '/settings/import/:id/delete', '/catalogue/proposals/:id/withdraw']
    const lasting = posts.filter((path) => !harmless.includes(path))
    const harmful = lasting.filter((path) =>
      /^\/(?!oauth\/revoke).*\/(?:delete|delete_account|revoke|revoke_tokens|withdraw|disable|demote|off)$/.test(
        path,
      ),
    )
    expect(harmful).toHaveLength(13)
    expect(harmful.filter((path) => !asked.has(path))).toEqual([])
  })
})

describe('an administrator', () => {
  test('finds no buttons in the list of users, only links to each', async () => {
    const { text } = await azusa.open('/admin/users')
    const rows = [...text.matchAll(/<tr><th scope="row">[\s\S]*?<\/tr>/g)].map(([row]) => row)
    expect(rows).toHaveLength(4)
    for (const row of rows) {
      expect(buttons(row)).toEqual([])
      expect([...row.matchAll(/<a href="\/admin\/users\/\d+">/g)]).toHaveLength(1)
    }
  })

  test('cannot disable or demote themselves by accident: nothing on their own page does it, and no page offers it', async () => {
    const { text } = await azusa.open('/admin/users/4')
    const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(text)?.[1] ?? ''
    expect(main).toContain('This is your own account')
    expect(main).not.toMatch(/<form|\/admin\/users\/4\//)
    for (const change of ['disable', 'demote'])
      expect((await azusa.open(`/admin/users/4/${change}`)).status).toBe(409)
    expect((await azusa.open('/admin/users/1')).text).toContain('/admin/users/1/disable')
  })
})
