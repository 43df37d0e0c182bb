import { describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { type AnnictSite, annictSite } from '../support/annict-site'
import { output, run } from '../support/in-process'
import { type Directory, spawn, temporaryDirectory } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'

const slow = 60_000
const enable = (directory: Directory) =>
  output(directory, ['catalogue', 'sources', 'enable', 'annict'], { input: 'secret\n' })
const update = (directory: Directory, { env }: AnnictSite, ...words: string[]) =>
  run(directory, ['catalogue', 'update', ...words], { env, clock })
const clock = { ahead: 0 }
const exported = (directory: Directory) => output(directory, ['catalogue', 'export'])
const counts = async (directory: Directory) =>
  JSON.parse(await output(directory, ['catalogue', 'status', '--json'])).rows.work.shown

describe('catalogue update', () => {
  test(
    'killed while waiting for page 2, resumes there with the same result',
    async () => {
      using whole = temporaryDirectory()
      using site = annictSite()
      await enable(whole)
      const { code, stdout, stderr } = await update(whole, site)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toContain('annict: done; run 1, 3 requests (0 not modified)')
      using cut = temporaryDirectory()
      await enable(cut)
      const stalled = site.stall('works Mg')
      const child = spawn(cut, ['catalogue', 'update'], { env: site.env })
      await stalled
      child.kill('SIGKILL')
      await child.exited
      expect(await counts(cut)).toBe(0)
      site.asked.length = 0
      expect((await update(cut, site)).stdout).toContain('annict: done; run 1, 3 requests')
      expect(site.asked).toEqual(['works Mg', 'dates'])
      expect(await exported(cut)).toBe(await exported(whole))
      expect(readdirSync(cut.file('data/catalogue-answers')).sort()).toEqual([
        '1-1.zst',
        '1-2.zst',
        '1-3.zst',
      ])
    },
    slow,
  )

  test(
    'dry, then twice, then again from stored answers: reports, JSON, and no token anywhere',
    async () => {
      using directory = await preparedDirectory()
      using site = annictSite()
      writeFileSync(directory.file('token'), 'secret\n')
      await output(directory, ['catalogue', 'sources', 'enable', 'annict', '--token-file', 'token'])
      const dry = await update(directory, site, '--dry-run')
      expect(dry.stdout).toMatch(/annict: done; dry run 1, 3 requests .*\n.*\n( .*\n)* {2}work: 3 created/)
      expect(await counts(directory)).toBe(0)
      expect((await update(directory, site, 'annict')).code).toBe(0)
      expect(await counts(directory)).toBe(3)
      const replayed = await update(directory, site, '--replay', '2', '--json')
      expect(JSON.parse(replayed.stdout)).toMatchObject([
        {
          ...{ id: 3, source: 'annict', cause: 'command', is_dry_run: false, outcome: 'done', message: null },
          ...{
            requests: 0,
            not_modified: 0,
            bytes: 0,
            report: { import: { failed: false }, changesCount: 0 },
          },
        },
      ])
      const sources = JSON.parse(await output(directory, ['catalogue', 'sources', '--json']))
      const listed = sources.find(({ name }: { name: string }) => name === 'annict')
      expect(listed).toMatchObject({ is_enabled: true, has_token: true, last_outcome: 'done', failures: 0 })
      expect(Date.parse(listed.next_run_at)).toBeGreaterThan(Date.now() + 5 * 86_400_000)
      const told = [dry.stdout, dry.stderr, replayed.stdout, JSON.stringify(sources)].join()
      expect(told).not.toContain('secret')
    },
    slow,
  )

  test(
    'ends with 75 if a source cannot be reached, with 65 if it is not understood',
    async () => {
      using directory = await preparedDirectory()
      using site = annictSite()
      await enable(directory)
      site.answer = () => new Response('gone', { status: 410 })
      const gone = await update(directory, site)
      expect([gone.code, gone.stderr]).toEqual([65, 'kiroku: annict: status 410\n'])
      site.answer = () => Response.json({ data: { searchWorks: 'none' } })
      const other = await update(directory, site)
      expect([other.code, other.stderr]).toEqual([65, expect.stringContaining('searchWorks')])
      const nobody = { env: { KIROKU_CATALOGUE_SOURCE_URL_ANNICT: 'http://127.0.0.1:1' } }
      const away = await run(directory, ['catalogue', 'update'], nobody)
      expect([away.code, away.stdout]).toEqual([75, expect.stringContaining('annict: unreachable')])
      const json = await run(directory, ['catalogue', 'update', '--json'], nobody)
      expect([json.code, JSON.parse(json.stdout)]).toEqual([
        75,
        [expect.objectContaining({ outcome: 'unreachable', report: null })],
      ])
      expect(await counts(directory)).toBe(0)
    },
    slow,
  )

  test('ends with 78 if nothing is configured, and names the existing sources', async () => {
    using directory = await preparedDirectory()
    const refusal = async (...words: string[]) => {
      const { code, stderr, stdout } = await run(directory, ['catalogue', ...words])
      expect(stdout).toBe('')
      return [code, stderr.trim()]
    }
    expect(await refusal('update')).toEqual([
      78,
      'kiroku: no catalogue source is enabled: see kiroku catalogue sources',
    ])
    const [code, message] = await refusal('update', 'anict')
    expect([code, message]).toEqual([
      64,
      expect.stringMatching(
        /^kiroku: there is no catalogue source "anict"; the sources are kiroku, .*annict/,
      ),
    ])
    expect(await refusal('update', 'annict')).toEqual([
      78,
      'kiroku: annict needs a token: kiroku catalogue sources enable annict',
    ])
    expect(await refusal('sources', 'enable', 'kiroku')).toEqual([
      78,
      'kiroku: kiroku needs a location: give --location',
    ])
    expect(await refusal('sources', 'enable', 'annict')).toEqual([
      78,
      'kiroku: annict needs a token: give --token-file',
    ])
  })

  test('refuses contradictory options, and never accepts a token on the command line', async () => {
    using directory = await preparedDirectory()
    const codeOf = async (...words: string[]) => (await run(directory, ['catalogue', ...words])).code
    expect(await codeOf('update', '--season', '2026-autum')).toBe(64)
    expect(await codeOf('update', '--since', '2026-02-30')).toBe(64)
    expect(await codeOf('update', '--limit', '0')).toBe(64)
    expect(await codeOf('update', '--replay', '1', 'annict')).toBe(64)
    expect(await codeOf('update', '--replay', '1')).toBe(66)
    expect(await codeOf('sources', 'enable', 'annict', '--token', 'secret')).toBe(64)
    expect(await codeOf('sources', 'enable', 'annict', 'secret')).toBe(64)
    expect(await codeOf('sources', 'enable', 'annict', '--location', 'https://example.com')).toBe(64)
    for (const location of ['http://example.com/', 'https://me:secret@example.com/', 'nowhere', 'ftp://x/'])
      expect(await codeOf('sources', 'enable', 'kiroku', '--location', location)).toBe(64)
    expect(await codeOf('sources', 'enable', 'kiroku', '--location', '.')).toBe(0)
    expect(await codeOf('sources', 'disable', 'kiroku')).toBe(0)
    const sources = JSON.parse(await output(directory, ['catalogue', 'sources', '--json']))
    expect(sources.find(({ name }: { name: string }) => name === 'kiroku')).toMatchObject({
      ...{ is_enabled: false, location: directory.path, next_run_at: null },
    })
  })

  test('says what an enabled source requests, and from where', async () => {
    using directory = await preparedDirectory()
    const enable = (...words: string[]) => output(directory, ['catalogue', 'sources', 'enable', ...words])
    expect(await enable('wikidata')).toBe('wikidata is enabled; it contacts query.wikidata.org\n')
    expect(await enable('kiroku', '--location', '.')).toBe(`kiroku is enabled; it reads ${directory.path}\n`)
    expect(await enable('kiroku', '--location', 'https://example.com/packs#ed25519=a')).toBe(
      'kiroku is enabled; it contacts example.com\n',
    )
    expect(await enable('madb', '--location', 'https://example.com/a.zip')).toMatch(
      /^madb is enabled, and asked by kiroku catalogue update madb; it contacts example\.com, github\.com, /,
    )
  })
})
