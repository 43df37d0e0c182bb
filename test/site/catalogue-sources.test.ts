import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { allSources } from '../../src/sources/all'
import { enableSource } from '../../src/sources/run/settings'
import { createInstance } from '../support/instance'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
handle.run("update users set is_admin = 1 where username = 'mio'")
const admin = await createMember(kiroku, 'mio')
const member = await createMember(kiroku, 'azusa')
afterAll(kiroku.close)

beforeEach(() => {
  for (const table of ['catalogue_runs', 'catalogue_sources']) handle.run(`delete from ${table}`)
  kiroku.lines.length = 0
})

const annict = '/admin/catalogue/sources/annict'
const rowOf = (name: string) =>
  handle.query<Record<string, unknown>, [string]>('select * from catalogue_sources where name = ?').get(name)
const runs = () =>
  handle
    .query<{ source: string; cause: string; is_dry_run: number; ended_at: number | null }, []>(
      'select source, cause, is_dry_run, ended_at from catalogue_runs order by id',
    )
    .all()
const enableAnnict = async () => {
  const source = allSources.find(({ name }) => name === 'annict')
  if (source === undefined) throw new Error('there is no annict')
  await enableSource(kiroku.deps, source, { token: 'abc' })
}

describe('sources', () => {
  test('are for administrators', async () => {
    for (const path of ['/admin/catalogue', annict, `${annict}/token`, '/admin/catalogue/twins'])
      expect([path, (await member.open(path)).status]).toEqual([path, 403])
    expect((await member.post(`${annict}/look`, {})).status).toBe(403)
    expect(runs()).toEqual([])
  })

  test('are all listed, off at first, with hosts and licence', async () => {
    const { text } = await admin.open('/admin/catalogue')
    for (const { name, licence, hosts } of allSources) {
      expect(text).toContain(`href="/admin/catalogue/sources/${name}"`)
      for (const told of [licence, ...hosts]) expect(text).toContain(told.replaceAll("'", '&#39;'))
    }
    expect(text).not.toContain('>On<')
    expect(text).toContain('No source has run yet.')
  })

  test('that need a token lead to a form for it, which enables them', async () => {
    expect((await admin.open(annict)).text).toContain(`href="${annict}/token"`)
    const refused = await admin.submit(`${annict}/token`, { token: 'two words' })
    expect([refused.status, rowOf('annict')]).toEqual([422, null])
    expect(refused.text).toContain('Must be printable characters without spaces, at most 500')
    const given = await admin.submit(`${annict}/token`, { token: 'sEcReT-123' })
    expect([given.status, given.location]).toEqual([303, annict])
    expect(rowOf('annict')).toMatchObject({ is_enabled: 1, token: 'sEcReT-123' })
    const { now } = kiroku.clock
    expect(Number(rowOf('annict')?.next_run_at) - now).toBeWithin(600_000, 1_800_001)
  })

  test('never show their token again, nor log it', async () => {
    await admin.submit(`${annict}/token`, { token: 'sEcReT-123' })
    for (const path of ['/admin/catalogue', annict, `${annict}/token`])
      expect((await admin.open(path)).text).not.toContain('sEcReT')
    expect(JSON.stringify(kiroku.lines)).not.toContain('sEcReT')
    expect(kiroku.lines.find(({ event }) => event === 'source_set')?.facts).toMatchObject({
      source: 'annict',
      change: 'enabled',
    })
    expect((await admin.open(annict)).text).toContain('Token is set')
  })

  test('without a required setting stay off', async () => {
    const pressed = await admin.submit(`${annict}/disable`, {}, `${annict}/disable`)
    expect(pressed.location).toBe(annict)
    const csrf = await admin.open(`${annict}/token`)
    const value = /name="csrf" value="([^"]+)"/.exec(csrf.text)?.[1] ?? ''
    expect((await admin.post(`${annict}/enable`, { csrf: value })).location).toBe(`${annict}/token`)
    expect(rowOf('annict')).toBe(null)
  })

  test.each([
    ['http://packs.example/', 422],
    ['/var/lib/packs', 422],
    ['file:///etc/passwd', 422],
    ['https://someone:secret@packs.example/', 422],
    ['\u0001https://packs.example/../../etc/shadow', 422],
    ['ht\ntps://packs.example/', 422],
    ['https:packs.example/', 422],
    ['https://packs.example/catalogue/', 303],
    ['https://packs.example/catalogue/#key=abc', 303],
  ])('take a location by https alone: %s', async (location, status) => {
    const page = await admin.submit('/admin/catalogue/sources/kiroku/location', { location })
    expect([page.status, rowOf('kiroku')?.location]).toEqual([status, status === 303 ? location : undefined])
  })

  test('that accept no token or location have no page for it, nor do unknown ones', async () => {
    for (const path of [
      `${annict}/location`,
      '/admin/catalogue/sources/kiroku/token',
      '/admin/catalogue/sources/x',
    ])
      expect([path, (await admin.open(path)).status]).toEqual([path, 404])
  })

  test('are disabled after a confirmation, and lose their token', async () => {
    await enableAnnict()
    const asked = await admin.open(`${annict}/disable`)
    expect(asked.text).toContain('Turn off Annict?')
    await admin.submit(`${annict}/disable`)
    expect(rowOf('annict')).toMatchObject({ is_enabled: 0, token: null, next_run_at: null })
  })
})

test('the catalogue shows how many works the seasons around now have', async () => {
  const counts = async () => {
    const { text } = await admin.open('/admin/catalogue')
    const found = [...text.matchAll(/<dt>((?:Winter|Spring|Summer|Autumn) \d{4})<\/dt><dd>(\d+)</g)]
    return new Map(found.map(([, season = '', count]) => [season, Number(count)]))
  }
  const before = await counts()
  expect([...before.keys()]).toEqual([
    'Autumn 2025',
    'Winter 2026',
    'Spring 2026',
    'Summer 2026',
    'Autumn 2026',
  ])
  for (const [id, hidden] of [
    [901, 0],
    [902, 0],
    [903, 1],
  ])
    handle.run(
      "insert into works (id, title, media, season_year, season, hidden, source_id) values (?, '夏', 'tv', 2026, 'summer', ?, 1)",
      [id ?? 0, hidden ?? 0],
    )
  expect((await counts()).get('Summer 2026')).toBe((before.get('Summer 2026') ?? 0) + 2)
})

describe('a run started now', () => {
  const look = (dry_run: string) => admin.submit(annict, { dry_run }, `${annict}/look`)

  test('is executed by the schedule, and shown', async () => {
    await enableAnnict()
    const { status, location } = await look('0')
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/admin\/catalogue\/runs\/\d+$/)])
    expect(runs()).toEqual([{ source: 'annict', cause: 'page', is_dry_run: 0, ended_at: null }])
    const { text } = await admin.open(location)
    expect(text).toContain('id="running" data-poll=')
    expect(text).toContain('<noscript><meta http-equiv="refresh"')
  })

  test('is dry on request', async () => {
    await enableAnnict()
    await look('1')
    expect(runs()).toMatchObject([{ is_dry_run: 1 }])
  })

  test('is refused during another run, and its buttons are hidden', async () => {
    await enableAnnict()
    const { text: before } = await admin.open(annict)
    const csrf = /name="csrf" value="([^"]+)"/.exec(before)?.[1] ?? ''
    await look('0')
    const again = await admin.post(`${annict}/look`, { csrf, dry_run: '0' })
    expect([again.status, runs()]).toMatchObject([409, { length: 1 }])
    expect((await admin.open(annict)).text).not.toContain(`action="${annict}/look"`)
  })

  test('is refused for a disabled source', async () => {
    const { text } = await admin.open(`${annict}/token`)
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    expect((await admin.post(`${annict}/look`, { csrf })).status).toBe(409)
    expect(runs()).toEqual([])
  })
})
