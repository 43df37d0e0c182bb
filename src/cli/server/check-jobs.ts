import { statSync } from 'node:fs'
import { type CheckResult, readLastCheck } from '../../db/health/last-check'
import { databasePath } from '../../db/open'
import { StorageFault } from '../../db/storage-fault'
import type { Deps } from '../../deps'
import { logStorageFault } from '../../http/log-storage'
import { nextTimeOfDay } from '../../lib/time'
import { type Finding, summaryOf } from '../examine'
import { type Ended, runApart } from './apart'

type Needs = Pick<Deps, 'storage' | 'log' | 'now' | 'steady' | 'config'>

/**
 * Runs checks in a process of low priority: all pages and the log after the start and within a minute of a
 * change, plus indexes and references once a night. Damage stops writes.
 */
export function startCheckJobs(needs: Needs): { stop(): Promise<void> } {
  const { storage, config, now, steady } = needs
  refuseDamaged(needs)
  let nextNight: number | undefined
  let pages = { stamp: '', isDueFrom: steady() + firstAfterMs }
  let isRunning = false
  const look = async () => {
    const stamp = stampOf(databasePath(config.data))
    if (isRunning || storage.refusal() !== undefined) return
    isRunning = true
    try {
      // Not at the start, since the first local time in a process takes 4 ms.
      nextNight ??= firstNight(needs)
      if (now() >= nextNight) {
        nextNight = nextTimeOfDay(config.nightlyCheck, now())
        await checkAll(needs)
      } else if (stamp !== pages.stamp && steady() >= pages.isDueFrom) {
        const cost = await checkPages(needs)
        pages = { stamp, isDueFrom: steady() + pauseAfter(cost) }
      }
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(() => void look(), 2000).unref()
  return { stop: async () => clearInterval(timer) }
}

const firstAfterMs = 3000
const shortestPauseMs = 30_000

interface CheckCost {
  readonly cpuMs: number
  readonly tookMs: number
}

/** Limits checks to a tenth of one core, and to a quarter of the time, as they may keep a slow disk busy. */
export const pauseAfter = ({ cpuMs, tookMs }: CheckCost): number =>
  Math.max(shortestPauseMs, 9 * cpuMs, 3 * tookMs)

const aDay = 86_400_000
const catchUpAfterMs = 600_000

/** Damage is remembered across restarts: no writes until `kiroku check --indexes` finds none. */
function refuseDamaged({ storage, log, config }: Needs): void {
  const last = readLastCheck(config.data)
  if (last?.outcome === 'damage') stopWrites(storage, log, last.findings)
}

/** Ten minutes after the start if the last nightly check was missed. */
function firstNight({ config, now }: Needs): number {
  const next = nextTimeOfDay(config.nightlyCheck, now())
  const last = Date.parse(readLastCheck(config.data)?.at ?? '')
  const isMissed = !(now() - last < aDay + catchUpAfterMs)
  return Number.isFinite(next) && isMissed ? Math.min(next, now() + catchUpAfterMs) : next
}

async function checkPages({ storage, log, config, steady }: Needs): Promise<CheckCost> {
  const begun = steady()
  const ended = await runApart(['check', '--pages', '--json', '--data', config.data], { isQuiet: true })
  const result = resultOf(ended)
  if (result === undefined) log('check_failed', { depth: 'pages', code: ended.code })
  else if (result.outcome === 'damage') stopWrites(storage, log, result.findings)
  return { cpuMs: ended.cpuMs, tookMs: steady() - begun }
}

async function checkAll({ storage, log, config, steady }: Needs): Promise<void> {
  const begun = steady()
  const ended = await runApart(['check', '--indexes', '--json', '--data', config.data], { isQuiet: true })
  const result = resultOf(ended)
  if (result === undefined) return log('check_failed', { depth: 'indexes', code: ended.code })
  const seconds = Math.round((steady() - begun) / 100) / 10
  const { outcome, findings } = result
  const advice = outcome === 'ok' ? undefined : 'run: kiroku doctor'
  log('checked', { outcome, seconds, first: findings[0], advice })
  if (outcome === 'damage') stopWrites(storage, log, findings)
}

/** Undefined if the command did not finish. */
function resultOf({ said }: Ended): Pick<CheckResult, 'outcome' | 'findings'> | undefined {
  try {
    const { findings }: { findings: readonly Finding[] } = JSON.parse(said)
    return summaryOf(findings)
  } catch {
    return undefined
  }
}

function stopWrites(storage: Deps['storage'], log: Deps['log'], findings: readonly string[]): void {
  const fault = new StorageFault('damaged', `a check found damage: ${findings[0]}. Nothing more is written`)
  storage.refuseWrites(fault)
  logStorageFault(log, fault)
}

const stampOf = (path: string): string => [path, `${path}-wal`].map(stampOfFile).join(' ')

function stampOfFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.mtimeMs} ${found.size}`
}
