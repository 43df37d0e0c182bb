import { dirname } from 'node:path'
import { takeSourcesLock } from '../../db/lock'
import type { AnySource } from '../source'
import type { RunOptions } from './begin'
import { type EndedRun, replayRun, runSource } from './run-source'
import type { RunTools } from './tools'

/** Runs the sources one after another, in no more than one process. Throws a `busy` failure during another update. */
export async function updateCatalogue(
  tools: RunTools,
  sources: readonly AnySource[],
  options: RunOptions,
  onEnd: (ended: EndedRun) => Promise<void>,
): Promise<EndedRun[]> {
  return await withSourcesLock(tools, async () => {
    const ended: EndedRun[] = []
    for (const source of sources) {
      const one = await runSource(tools, source, options)
      await onEnd(one)
      ended.push(one)
    }
    return ended
  })
}

/** Throws a `busy` failure during another update, a `noInput` failure if the run's answers are gone. */
export const replayAgain = (
  tools: RunTools,
  sources: readonly AnySource[],
  run: number,
  options: RunOptions,
): Promise<EndedRun> => withSourcesLock(tools, () => replayRun(tools, sources, run, options))

async function withSourcesLock<T>({ store }: RunTools, work: () => Promise<T>): Promise<T> {
  const lock = await takeSourcesLock(dirname(store.handle.filename))
  try {
    return await work()
  } finally {
    lock.release()
  }
}
