import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { RunReport } from '../../src/sources/run/report'
import type { Outcome } from '../../src/sources/run/runs'
import { createInstance } from '../support/instance'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
handle.run("update users set is_admin = 1 where username = 'mio'")
const admin = await createMember(kiroku, 'mio')
const japanese = await createMember(kiroku, 'mio', { language: 'ja' })
afterAll(kiroku.close)
beforeEach(() => handle.run('delete from catalogue_runs'))

const counts = { created: 1200, updated: 0, unchanged: 40, deleted: 0, merged: 0, unresolved: 0, conflict: 0 }
const report: RunReport = {
  import: {
    ...{ source: 'annict', mode: 'upsert', lines: 45, failed: false, counts: { work: counts } },
    estimated: { episodes: 0, programs: 0 },
    warnings: ['there is <b>one</b> warning'],
    problems: [{ line: 7, message: 'title: must not be empty' }],
    problemsCount: 1,
  },
  changes: [{ workId: 1, title: '星降る<庭>', field: 'title_en', old: '', new: '<script>', owner: 'annict' }],
  changesCount: 21,
  leftAlone: [{ field: 'work.title', owner: 'admin', count: 3 }],
}

function addRun(outcome: Outcome | null, more: Record<string, string | number | null> = {}): number {
  const ended_at = outcome === null ? null : kiroku.clock.now
  const run = {
    ...{ source: 'annict', cause: 'schedule', is_dry_run: 0, scope: '{}', outcome, ended_at },
    ...{ started_at: kiroku.clock.now - 60_000, requests: 3, bytes: 1_234_567, ...more },
  }
  const names = Object.keys(run)
  const sql = `insert into catalogue_runs (${names}) values (${names.map(() => '?')}) returning id`
  const [row] = handle.query<{ id: number }, (string | number | null)[]>(sql).all(...Object.values(run))
  return row?.id ?? 0
}

const pageOf = async (id: number) => (await admin.open(`/admin/catalogue/runs/${id}`)).text

describe('a run', () => {
  test('shows what it requested, changed, imported and left alone', async () => {
    const text = await pageOf(addRun('done', { report: JSON.stringify(report) }))
    for (const told of [
      'Catalogue updated',
      'The schedule',
      '3 requests, 1.2 MB',
      '1,200',
      '21 changes in all',
    ])
      expect(text).toContain(told)
    expect(text).toContain('<a href="/works/1" lang="ja">星降る&#60;庭&#62;</a>')
    expect(text).toContain('<code>work.title</code>')
    expect(text).toContain('Line 7: title: must not be empty')
  })

  test("shows a source's texts as plain text", async () => {
    const text = await pageOf(addRun('done', { report: JSON.stringify(report) }))
    expect(text).not.toContain('<script>')
    expect(text).toContain('there is &#60;b&#62;one&#60;/b&#62; warning')
  })

  test.each([
    ['unchanged', 'Nothing new', '新しいデータはありませんでした'],
    ['unreachable', 'Could not be reached', '接続できませんでした'],
    ['not_understood', 'Its answer was not understood', '応答の形式が想定と異なりました'],
    ['held_back', 'Held back, because too much would have changed', '変更が多すぎるため中止しました'],
    ['refused', 'Its data was refused', 'データに誤りがあり、取り込みませんでした'],
    ['failed', 'Failed', '失敗しました'],
  ] as const)('that ended as %s says so, and why', async (outcome, english, other) => {
    const id = addRun(outcome, { message: 'it gives 3 lines & no more' })
    const text = await pageOf(id)
    expect(text).toContain(`>${english}</b>`)
    expect(text).toContain('<span lang="en">it gives 3 lines &#38; no more</span>')
    const { text: list } = await japanese.open('/admin/catalogue')
    expect(list).toContain(other)
    expect(list).toContain(`/admin/catalogue/runs/${id}`)
  })

  test('says that nothing changed if it was a dry run', async () => {
    expect(await pageOf(addRun('done', { is_dry_run: 1 }))).toContain('Dry run: nothing was changed')
  })

  test('is updated on the page of its source and on the overview while it is running, and no longer', async () => {
    const id = addRun(null)
    const paths = ['/admin/catalogue', '/admin/catalogue/sources/annict', `/admin/catalogue/runs/${id}`]
    for (const path of paths)
      expect([path, (await admin.open(path)).text.includes('id="running"')]).toEqual([path, true])
    handle.run("update catalogue_runs set ended_at = 1, outcome = 'done'")
    for (const path of paths)
      expect([path, (await admin.open(path)).text.includes('id="running"')]).toEqual([path, false])
  })

  test('that does not exist has no page', async () => {
    expect((await admin.open('/admin/catalogue/runs/12345')).status).toBe(404)
    expect((await admin.open('/admin/catalogue/runs/x')).status).toBe(404)
  })

  test('of a source unknown to this version is shown with its name', async () => {
    expect(await pageOf(addRun('done', { source: 'former' }))).toContain('Run of former')
  })
})
