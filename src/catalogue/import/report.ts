import { limits } from './file/limits'
import type { KindName } from './kinds/field'
import { kinds } from './kinds/kinds'

/** What became of the lines of one type. A line is created, updated, unchanged, deleted, merged or unresolved. */
export interface Counts {
  created: number
  updated: number
  unchanged: number
  /** Rows that a line or a snapshot hid. */
  deleted: number
  merged: number
  /** Lines that name a row nobody knows. */
  unresolved: number
  /** Lines of which something was not taken over, because a source of higher priority says otherwise. */
  conflict: number
}

/** Why a line was refused. Line 0 is the file as a whole. */
export interface Problem {
  line: number
  message: string
}

/** What an import did, or would do; plain data. A failed import changed nothing. */
export interface ImportReport {
  source: string
  mode: string
  lines: number
  failed: boolean
  counts: Partial<Record<KindName, Counts>>
  /** Episodes and programs worked out from the works' dates. */
  estimated: { episodes: number; programs: number }
  warnings: string[]
  /** The first 1,000, by line. */
  problems: Problem[]
  /** How many there were in all. */
  problemsCount: number
}

/** Counts while an import runs. */
export class Tally {
  readonly #counts = new Map<KindName, Counts>()
  readonly #warnings = new Set<string>()
  readonly #problems: Problem[] = []
  #problemsCount = 0

  count(kind: KindName, what: keyof Counts, n = 1): void {
    const counts = this.#counts.get(kind) ?? noCounts()
    counts[what] += n
    this.#counts.set(kind, counts)
  }

  /** Says something once, however many lines give cause for it. */
  warn(sentence: string): void {
    if (this.#warnings.size < limits.warnings) this.#warnings.add(shortened(sentence))
    else this.#warnings.add('there are more warnings than are shown')
  }

  problem(line: number, message: string): void {
    this.#problemsCount++
    if (this.#problems.length < mostProblems) this.#problems.push({ line, message: shortened(message) })
  }

  /** Whether there are so many problems that the rest of the file need not be read. */
  get isHopeless(): boolean {
    return this.#problemsCount >= limits.problems
  }

  /** How many lines of all types had this outcome. */
  total(what: keyof Counts): number {
    return [...this.#counts.values()].reduce((sum, counts) => sum + counts[what], 0)
  }

  get failed(): boolean {
    return this.#problemsCount > 0
  }

  report(about: Pick<ImportReport, 'source' | 'mode' | 'lines' | 'estimated'>): ImportReport {
    const counted = kinds.flatMap(({ name }) => {
      const counts = this.#counts.get(name)
      return counts === undefined ? [] : [[name, counts] as const]
    })
    return {
      ...about,
      failed: this.failed,
      counts: Object.fromEntries(counted),
      warnings: [...this.#warnings],
      problems: this.#problems.toSorted((one, other) => one.line - other.line),
      problemsCount: this.#problemsCount,
    }
  }
}

const noCounts = (): Counts => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  merged: 0,
  unresolved: 0,
  conflict: 0,
})

/** What a line says may be a megabyte long. */
const shortened = (text: string) =>
  text.length <= limits.message ? text : `${text.slice(0, limits.message).toWellFormed()}…`

const mostProblems = 1000
