import { limits } from './file/limits'
import type { KindName } from './kinds/field'
import { kinds } from './kinds/kinds'

/** Per type of line; a line counts as `conflict` in addition to its other outcome. */
export type LineCounts = typeof noCounts

/** Line 0 stands for the file as a whole. */
export interface Problem {
  line: number
  message: string
}

/** Plain data. A failed import has changed nothing. */
export interface ImportReport {
  source: string
  mode: string
  lines: number
  failed: boolean
  counts: Partial<Record<KindName, LineCounts>>
  estimated: { episodes: number; programs: number }
  /** Only of a file of corrections. */
  corrections?: CorrectionCounts
  warnings: string[]
  /** The first 1,000, in line order. */
  problems: Problem[]
  problemsCount: number
}

/** What became of the fields that another instance corrected (D98). */
export interface CorrectionCounts {
  taken: number
  /** Not what sources said where it was corrected, nor what it was corrected to. */
  left: number
  /** No longer needed: it is so already. */
  needless: number
  /** Lines about rows that are not known here. */
  unknown: number
  /** What is left, needless and unknown, a sentence each; the first hundred. */
  notes: string[]
}

export class CorrectionTally {
  readonly counts: CorrectionCounts = { taken: 0, left: 0, needless: 0, unknown: 0, notes: [] }

  /** `now`: the value here. */
  count(
    what: Exclude<keyof CorrectionCounts, 'notes'>,
    { kind, key }: { readonly kind: { readonly name: KindName }; readonly key: string | undefined },
    field?: string,
    now?: string | number | null,
  ): void {
    this.counts[what]++
    if (what === 'taken' || this.counts.notes.length >= limits.warnings) return
    const row = key === undefined ? kind.name : `${kind.name} ${JSON.stringify(key)}`
    const value = now === null ? 'blank' : JSON.stringify(now)
    const notes = {
      left: `${row}: ${field} is left, as it is ${value} here`,
      needless: `${row}: ${field} is ${value} already`,
      unknown: `${row}: is not known here`,
    }
    this.counts.notes.push(shortened(notes[what]))
  }
}

export class LineTally {
  corrections: CorrectionTally | undefined
  readonly #counts = new Map<KindName, LineCounts>()
  readonly #warnings = new Set<string>()
  readonly #problems: Problem[] = []
  #problemsCount = 0

  count(kind: KindName, what: keyof LineCounts, n = 1): void {
    const counts = this.#counts.get(kind) ?? { ...noCounts }
    counts[what] += n
    this.#counts.set(kind, counts)
  }

  /** Repeated sentences are recorded only once. */
  warn(sentence: string): void {
    if (this.#warnings.size < limits.warnings) this.#warnings.add(shortened(sentence))
    else this.#warnings.add('there are more warnings than are shown')
  }

  problem(line: number, message: string): void {
    this.#problemsCount++
    if (this.#problems.length < mostProblems) this.#problems.push({ line, message: shortened(message) })
  }

  get isHopeless(): boolean {
    return this.#problemsCount >= limits.problems
  }

  total(what: keyof LineCounts): number {
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
      ...(this.corrections && { corrections: this.corrections.counts }),
      warnings: [...this.#warnings],
      problems: this.#problems.toSorted((one, other) => one.line - other.line),
      problemsCount: this.#problemsCount,
    }
  }
}

const noCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  merged: 0,
  /** Lines that reference an unknown row. */
  unresolved: 0,
  /** Lines partly ignored because a source of higher priority says otherwise. */
  conflict: 0,
}

/** A value in a line may be a megabyte long. */
const shortened = (text: string) =>
  text.length <= limits.message ? text : `${text.slice(0, limits.message).toWellFormed()}…`

const mostProblems = 1000

export function formatReport(report: ImportReport): string {
  const { estimated, failed } = report
  return [
    `${report.source === '' ? 'catalogue' : report.source} (${report.mode}), ${figure(report.lines, 'line')}`,
    ...Object.entries(report.counts).map(([name, counts]) => `  ${name}: ${countsText(counts)}`),
    ...(estimated.episodes + estimated.programs > 0 ? [`  estimated: ${estimatedText(estimated)}`] : []),
    ...correctionLines(report),
    ...report.warnings.map((warning) => `warning: ${warning}`),
    ...problemLines(report),
    ...(failed ? [`${figure(report.problemsCount, 'problem')}: nothing was changed`] : []),
  ].join('\n')
}

const correctionLines = ({ corrections }: ImportReport) =>
  corrections === undefined
    ? []
    : [
        `  corrections: ${grouped(corrections.taken)} taken, ${grouped(corrections.left)} left, ${grouped(corrections.needless)} no longer needed, ${figure(corrections.unknown, 'line')} about what is not known here`,
        ...corrections.notes.map((note) => `  ${note}`),
      ]

const countsText = (counts: LineCounts) =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([what, n]) => `${grouped(n)} ${what}`)
    .join(', ')

const estimatedText = ({ episodes, programs }: ImportReport['estimated']) =>
  `${figure(episodes, 'episode')}, ${figure(programs, 'program')}`

export function problemLines({ problems, problemsCount }: ImportReport): string[] {
  const shown = problems.map(({ line, message }) => (line === 0 ? message : `line ${line}: ${message}`))
  const more = problemsCount - problems.length
  return more === 0 ? shown : [...shown, `… and ${grouped(more)} more`]
}

const figure = (n: number, noun: string) => `${grouped(n)} ${noun}${n === 1 ? '' : 's'}`

const grouped = (n: number) => n.toLocaleString('en')
