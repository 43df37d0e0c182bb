import { formatReport } from '../../catalogue/import/report'
import type { LeftAlone, RunReport, WorkChange } from './report'
import { outcomeOf, type SourceRun } from './runs'

export function formatRun(run: SourceRun): string {
  const { id, source, outcome, message, requests, notModified, bytes, report, isDryRun } = run
  const what = `${isDryRun ? 'dry run' : 'run'} ${id}`
  const asked = `${grouped(requests)} request${requests === 1 ? '' : 's'} (${grouped(notModified)} not modified), ${grouped(bytes)} bytes`
  return [
    `${source}: ${outcomeOf(run)}; ${what}, ${asked}`,
    ...(message === null ? [] : [`  ${outcome === 'held_back' ? 'nothing was changed: ' : ''}${message}`]),
    ...(report === null ? [] : reportLines(report)),
  ].join('\n')
}

function reportLines(report: RunReport): string[] {
  const { changes, changesCount, leftAlone } = report
  return [
    formatReport(report.import),
    ...headed(
      `changes of works that were there, ${grouped(changes.length)} of ${grouped(changesCount)}`,
      changes.map(changeText),
    ),
    ...headed('left alone, as a source of a higher rank has the field', leftAlone.map(leftAloneText)),
  ]
}

const headed = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)]

const changeText = ({ title, field, old, new: next, owner }: WorkChange) =>
  `${title} ${field}: ${old === '' ? '-' : old} → ${next === '' ? '-' : next}${owner === '' ? '' : ` (${owner})`}`

const leftAloneText = ({ field, owner, count }: LeftAlone) => `${field}: ${grouped(count)} (${owner})`

const grouped = (n: number) => n.toLocaleString('en')
