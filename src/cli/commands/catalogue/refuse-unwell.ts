import { Failure } from '../../../lib/failure'
import { isWell } from '../../../sources/run/end'
import type { EndedRun } from '../../../sources/run/run-source'

/** Throws one failure about all runs that did not go well; its kind is the worst of theirs. */
export function refuseUnwell(ended: readonly EndedRun[]): void {
  const unwell = ended.filter(({ run }) => !isWell(run.outcome))
  if (unwell.length === 0) return
  const text = unwell.map(({ run }) => `${run.source}: ${run.message}`).join('; ')
  if (unwell.some(({ run }) => run.outcome === 'failed')) throw new Error(text)
  const kinds = unwell.map(kindOf)
  throw new Failure(order.find((kind) => kinds.includes(kind)) ?? 'data', text)
}

const order = ['config', 'data', 'busy'] as const

const kindOf = ({ run, fault }: EndedRun): (typeof order)[number] => {
  if (fault?.isConfig === true) return 'config'
  return run.outcome === 'unreachable' ? 'busy' : 'data'
}
