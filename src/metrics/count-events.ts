import type { Log } from '../log'
import { type Facts, type LogEvent, levelOf } from '../log/levels'
import type { Metrics } from './metrics'

/** Counts all logged events, even below the level that is written. */
export function countedLog(log: Log, metrics: Pick<Metrics, 'count'>): Log {
  return (event, facts = {}) => {
    if (event !== 'request') countEvent(metrics, event, facts)
    log(event, facts)
  }
}

function countEvent({ count }: Pick<Metrics, 'count'>, event: LogEvent, facts: Facts): void {
  count('kiroku_log_events_total', { event, level: levelOf(event, facts) })
  const outcome = String(facts.outcome)
  if (isSignIn(event)) count('kiroku_sign_ins_total', { step: event, outcome })
  if (event === 'mail') count('kiroku_letters_total', { outcome })
  if (event === 'cover_fetched')
    count('kiroku_cover_fetches_total', { outcome: fetchOutcomes.get(outcome) ?? 'failed' })
  if (event === 'storage_fault' || event === 'storage_fault_again')
    count('kiroku_storage_faults_total', { problem: String(facts.problem) })
}

const isSignIn = (event: LogEvent) => /^(?:sign_in|confirm)(?:_code)?$/.test(event)

/** The log has the reasons of all others. */
const fetchOutcomes = new Map([
  ['kept', 'kept'],
  ['unchanged', 'unchanged'],
  ['no picture named', 'none'],
])
