import type { Counts, ImportReport } from './report'

export function formatReport(report: ImportReport): string {
  const { estimated, failed } = report
  return [
    `${report.source === '' ? 'catalogue' : report.source} (${report.mode}), ${figure(report.lines, 'line')}`,
    ...Object.entries(report.counts).map(([name, counts]) => `  ${name}: ${countsText(counts)}`),
    ...(estimated.episodes + estimated.programs > 0 ? [`  estimated: ${estimatedText(estimated)}`] : []),
    ...report.warnings.map((warning) => `warning: ${warning}`),
    ...problemLines(report),
    ...(failed ? [`${figure(report.problemsCount, 'problem')}: nothing was changed`] : []),
  ].join('\n')
}

const countsText = (counts: Counts) =>
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
