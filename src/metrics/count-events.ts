import { storageProblems } from '../db/storage-fault'
import type { Log } from '../log'
import { type Facts, type LogEvent, levelOf, levelsOf, logEvents } from '../log/levels'
import type { Metrics } from './metrics'

/** Counts all logged events, even below the level that is written. */
export function countedLog(log: Log, metrics: Pick<Metrics, 'count'>): Log {
  beginAtZero(metrics)
  return (event, facts = {}) => {
    if (event !== 'request') countEvent(metrics, event, facts)
    log(event, facts)
  }
}

/** Prometheus sees no increase in a series that begins with its first event. */
function beginAtZero({ count }: Pick<Metrics, 'count'>): void {
  for (const event of logEvents)
    if (event !== 'request')
      for (const level of levelsOf(event)) count('kiroku_log_events_total', { event, level }, 0)
  for (const step of logEvents.filter(isSignIn))
    for (const outcome of outcomesOf(step)) count('kiroku_sign_ins_total', { step, outcome }, 0)
  for (const outcome of letterOutcomes) count('kiroku_letters_total', { outcome }, 0)
  for (const outcome of [...fetchOutcomes.values(), 'failed'])
    count('kiroku_cover_fetches_total', { outcome }, 0)
  for (const problem of Object.keys(storageProblems)) count('kiroku_storage_faults_total', { problem }, 0)
  for (const state of ['sent', 'failed', 'dropped']) count('kiroku_outgoing_total', { state }, 0)
}

const letterOutcomes = ['sent', 'delayed', 'failed', 'dropped']

/** Only a password tells of a disabled account. */
const outcomesOf = (step: LogEvent) => ['ok', 'wrong', 'wait', ...(step === 'sign_in' ? ['disabled'] : [])]

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
