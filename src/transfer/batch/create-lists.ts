import { notFound } from '../../http/errors'
import { beginAccepting, beginApplying, beginDeleting, beginPlanning, beginUndoing } from './begin'
import { collecting } from './collecting'
import { findRow, findRows } from './find-rows'
import { countOwn, findOwn, listOwn } from './import-store'
import { makeRoom } from './limits'
import type { ImportDeps } from './list-import'
import type { Lists } from './lists'
import { presentImport } from './present-import'
import { restOf } from './rest'
import { resumeImports } from './resume'
import { chooseProbable } from './rows/choose-work'
import { Runner } from './runner'
import { Slots } from './slots'

/** Starts nothing by itself. What reads files and plans rows is loaded when it is needed. */
export function createLists(deps: ImportDeps): Lists {
  const { warmRead, write, now } = deps
  const runner = new Runner(deps, async (id, isStopping) => {
    const { runImport } = await import('./run-import')
    await collecting(() => runImport(deps, id, isStopping))
  })
  const { isStopping } = runner
  const reading = new Set<number>()
  const readers = new Slots(2)
  /** By the ids of imports: what a person changes of a preview comes one after the other. */
  const changes = new Slots(Number.POSITIVE_INFINITY)
  let hasResumed = false
  const present = (one: Parameters<typeof presentImport>[1]) =>
    presentImport(warmRead(), one, runner.isWaiting)
  const find: Lists['find'] = async (userId, id) => await present(await findOwn(warmRead(), userId, id))
  const undo = async (userId: number, id: number, from?: Parameters<typeof beginUndoing>[2]) => {
    if (await write((tx) => beginUndoing(tx, { userId, id, now: now() }, from))) runner.start(id, userId)
    return await find(userId, id)
  }
  return {
    read: (userId, file, options) =>
      readers.run(userId, async () => {
        await makeRoom(deps, userId)
        const { readList } = await import('./read-list')
        return await find(userId, await collecting(() => readList(deps, { userId, file, options, reading })))
      }),
    list: async (userId, page) => {
      const [imports, total] = [await listOwn(warmRead(), userId, page), await countOwn(warmRead(), userId)]
      return { imports: await Promise.all(imports.map(present)), total }
    },
    find,
    rows: async (userId, id, page) => await findRows(warmRead(), await findOwn(warmRead(), userId, id), page),
    rest: async function* (userId, id) {
      yield* restOf(deps.read, await findOwn(warmRead(), userId, id))
    },
    setOptions: (userId, id, options) =>
      changes.run(id, async () => {
        await write((tx) => beginPlanning(tx, { userId, id, now: now() }, options))
        const { planRows } = await import('./rows/plan-rows')
        await collecting(() => planRows(deps, id, { isStopping }))
        return await find(userId, id)
      }),
    decide: (userId, id, number, decision) =>
      changes.run(id, async () => {
        const { decideRow } = await import('./rows/decide')
        await decideRow(deps, { userId, id, number }, decision)
        const row = await findRow(warmRead(), id, number)
        if (row === undefined) throw notFound('The row')
        return row
      }),
    apply: (userId, id, { acceptsProbable }) =>
      changes.run(id, async () => {
        const present = await find(userId, id)
        if (present.state === 'applied' || present.state === 'applying') return present
        if (acceptsProbable) {
          await write((tx) => beginAccepting(tx, { userId, id, now: now() }))
          const { planRows } = await import('./rows/plan-rows')
          await collecting(() => planRows(deps, id, { rematch: chooseProbable, isStopping }))
        }
        const hasWork = await write((tx) => beginApplying(tx, { userId, id, now: now() }))
        runner.start(id, userId)
        if (!hasWork) await runner.settled(id)
        return await find(userId, id)
      }),
    undo: (userId, id) => undo(userId, id),
    cancel: (userId, id) => undo(userId, id, ['applying']),
    remove: (userId, id) =>
      changes.run(id, async () => {
        await write((tx) => beginDeleting(tx, { userId, id }))
        runner.start(id, userId)
      }),
    settled: (id) => runner.settled(id),
    resume: async () => {
      const start = (id: number, userId: number) => runner.start(id, userId)
      await resumeImports(deps, { start, reading, isBeside: hasResumed })
      hasResumed = true
    },
    close: () => runner.stop(),
  }
}
