import { type Definition, definitions, processMetrics } from '../../src/metrics/definitions'

/** The table of `docs/monitoring.md`. */
export function metricsMarkdown(): string {
  const own = Object.entries<Definition>(definitions).map(([name, { kind, unit, labels, help }]) => [
    `\`${name}\``,
    kind,
    unit,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ])
  const ofProcess = Object.entries(processMetrics).map(([name, [unit, meaning]]) => [
    `\`${name}\``,
    name.endsWith('_total') ? 'counter' : 'gauge',
    unit,
    '',
    meaning,
  ])
  return [['Metric', 'Kind', 'Unit', 'Labels', 'What it is'], Array(5).fill('---'), ...own, ...ofProcess]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('')
}
