import { afterEach, beforeEach, expect } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { searchDrift } from '../../src/catalogue/counters/search-drift'
import { beginMerge, beginUndo, type MergeOrder, MergeRefused } from '../../src/catalogue/edit/merges'
import { runMerges } from '../../src/catalogue/edit/run-merges'
import { beginSplit } from '../../src/catalogue/edit/split'
import { handleOf } from '../../src/db/dialect'
import { type CatalogueStore, catalogueStore, episode, now, work } from './catalogue-store'
import { rowsOfEverything } from './rows-of-everything'

export const users = [1, 2, 3, 4]

/** Of the test that runs. */
export let two: TwoWorks
export let store: CatalogueStore

/** The hooks of a file: two works for each of its tests, after which the counters, the search and the references are in order. */
export function useTwoWorks(): void {
  beforeEach(async () => {
    two = await TwoWorks.create()
    store = two.store
  })
  afterEach(() => {
    expect(findDrift(store.handle)).toEqual([])
    expect(searchDrift(store.handle)).toEqual([])
    expect(store.rows('pragma foreign_key_check')).toEqual([])
    store.close()
  })
}

/** Two works that are one, with four users who have something of them, and a third work. */
export class TwoWorks {
  clock = now

  private constructor(readonly store: CatalogueStore) {}

  static async create(): Promise<TwoWorks> {
    const two = new TwoWorks(await catalogueStore())
    await two.#fill()
    return two
  }

  async #fill(): Promise<void> {
    const { store } = this
    await store.load('pack', [
      work('annict:1', {
        ...{ title: '蟲師 続章', ids: { mal: 21939 }, season_name: '2014-spring', aliases: ['Mushi'] },
      }),
      work('annict:2', { title: '蟲師 続章(第2期)', title_en: 'Mushishi', ids: { syobocal: 3311 } }),
      work('annict:3', { title: 'もうひとつ' }),
      // 1 to 3 and 2 to 5.
      ...[1, 2, 3].map((n) => episode(`annict:1${n}`, 'annict:1', n)),
      ...[2, 3, 4, 5].map((n) => episode(`annict:2${n}`, 'annict:2', n)),
      episode('annict:31', 'annict:3', 1),
    ])
    for (const user of users)
      store.handle.run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
        values (${user}, 'u${user}', 'u${user}', 'u', 'e${user}', 'e${user}', 'none', 0)`)
    for (const user of users) for (const n of [2, 3, 4, 5]) if (n <= 1 + user) this.record(user, 20 + n)
    this.record(3, 11)
    const statuses = [
      [1, 1, 'on_hold', 1],
      [1, 2, 'watched', 2],
      [2, 1, 'watched', 9],
      [2, 2, 'watching', 8],
      [3, 2, 'watching', 5],
    ] as const
    for (const [user, of, kind, at] of statuses)
      store.handle.run(
        `insert into statuses (user_id, work_id, kind, changed_at) values (${user}, ${of}, '${kind}', ${at})`,
      )
  }

  record = (user: number, of: number) =>
    this.store.handle.run(`insert into records (user_id, work_id, episode_id, watched_at, created_at)
      values (${user}, (select work_id from episodes where id = ${of}), ${of}, 0, 0)`)

  get deps() {
    return {
      ...{ read: this.store.read, write: this.store.write, config: { data: this.store.directory } },
      ...{ now: () => this.clock, log: () => {}, isStopping: () => false },
    }
  }

  run = () => runMerges(this.deps)

  get author() {
    return { user: 1, reason: 'twice', now: this.clock }
  }

  /** Work 2 into work 1, unless told otherwise. */
  begin = (more: Partial<MergeOrder> = {}) => {
    const order: MergeOrder = { kind: 'work', from: 2, to: 1, fields: {}, total: 9, ...more }
    return this.store.write(async (tx) => beginMerge(handleOf(tx), order, this.author))
  }

  undo = (change: number) => this.store.write(async (tx) => beginUndo(handleOf(tx), change, this.author))

  split = (episodes: readonly number[], to: number, from: number) =>
    this.store.write(async (tx) => beginSplit(handleOf(tx), { from, to, episodes, total: 1 }, this.author))

  merged = async (more: Partial<MergeOrder> = {}) => {
    const change = await this.begin(more)
    await this.run()
    return change
  }

  undone = async (change: number) => {
    await this.undo(change)
    await this.run()
  }

  /** Every row that a merge may change, and an undo has to give back. */
  rows = () =>
    rowsOfEverything(this.store.handle, {
      except: [/^catalogue_/, /search/, 'import_rows', 'sqlite_sequence', 'twin_works', 'instance'],
    })
}

export const mergeRefusal = (act: Promise<unknown>) =>
  act.then(
    () => 'none',
    (cause) => (cause instanceof MergeRefused ? [cause.problem, cause.change] : String(cause)),
  )
