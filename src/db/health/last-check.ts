import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The result of a check of the whole database. */
export interface CheckResult {
  /** When it ended, ISO 8601. */
  readonly at: string
  readonly seconds: number
  /** `damage` stops writes; `unsound` (a dangling reference, an index that differs from its table) does not. */
  readonly outcome: 'ok' | 'unsound' | 'damage'
  readonly findings: readonly string[]
}

const lastCheckPath = (directory: string) => join(directory, 'last-check.json')

export function readLastCheck(directory: string): CheckResult | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(lastCheckPath(directory), 'utf8'))
    return isResult(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** Atomic. A full disk leaves the previous result. */
export function writeLastCheck(directory: string, result: CheckResult): void {
  const path = lastCheckPath(directory)
  const partial = `${path}.${process.pid}.partial`
  try {
    writeFileSync(partial, `${JSON.stringify(result)}\n`, { mode: 0o600 })
    renameSync(partial, path)
  } catch {
    rmSync(partial, { force: true })
  }
}

export const forgetLastCheck = (directory: string) => rmSync(lastCheckPath(directory), { force: true })

function isResult(read: unknown): read is CheckResult {
  if (typeof read !== 'object' || read === null) return false
  const { at, seconds, outcome, findings } = read as Partial<Record<keyof CheckResult, unknown>>
  const isKnown = outcome === 'ok' || outcome === 'unsound' || outcome === 'damage'
  return isKnown && typeof at === 'string' && typeof seconds === 'number' && Array.isArray(findings)
}
