import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { eventLevels, levels } from '../../src/log/levels'
import { definitions, processMetrics } from '../../src/metrics/definitions'
import { debianTool, runTool } from '../support/debian-tool'
import { metricsMarkdown } from '../support/metrics-markdown'

const page = readFileSync('docs/monitoring.md', 'utf8')
const alerts = readFileSync('docs/monitoring/alerts.yml', 'utf8')
const dashboard = readFileSync('docs/monitoring/dashboard.json', 'utf8')
const promtool = debianTool('promtool', 'prometheus')

const between = (mark: string) => page.split(new RegExp(`<!-- /?${mark} -->\n`))[1]

test('docs/monitoring.md has every metric with its unit', () => {
  expect(between('metrics')).toBe(metricsMarkdown())
})

test('docs/monitoring.md has every event at its level', () => {
  const rows = levels.map((level) => {
    const events = Object.entries(eventLevels).flatMap(([event, its]) =>
      its === level ? [`\`${event}\``] : [],
    )
    return `| \`${level}\` | ${events.join(', ')} |\n`
  })
  const depends = Object.entries(eventLevels).flatMap(([event, its]) =>
    typeof its === 'string' ? [] : [`\`${event}\``],
  )
  expect(between('levels')).toBe(`${rows.join('')}| by its outcome | ${depends.join(', ')} |\n`)
})

describe('everything named in the alerts, the dashboard and the page exists:', () => {
  const known = new Set([
    ...Object.keys(processMetrics),
    ...Object.entries(definitions).flatMap(([name, { kind }]) =>
      kind === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  ])

  test.each([
    ['alerts.yml', alerts],
    ['dashboard.json', dashboard],
    ['monitoring.md', page],
  ])('metrics of %s', (_, text) => {
    const named = text.match(/\b(?:kiroku|process|nodejs)_[a-z0-9_]+/g) ?? []
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('events of the alerts', () => {
    const events = [...alerts.matchAll(/event=~?"([a-z_|]+)"/g)].flatMap(([, names = '']) => names.split('|'))
    expect(events.length).toBeGreaterThan(3)
    expect(events.filter((event) => !(event in eventLevels))).toEqual([])
  })

  test('labels', () => {
    const labels = new Set<string>([
      ...Object.values(definitions).flatMap(({ labels }) => [...labels]),
      ...['job', 'le', 'level'],
    ])
    const used = [...(alerts + dashboard).matchAll(/(?:[{,]|by \()([a-z]+)(?:=|\))/g)].map(
      ([, name = '']) => name,
    )
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((name) => !labels.has(name))).toEqual([])
  })
})

test('the dashboard is valid: panels with an id, a position and queries each', () => {
  const { panels } = JSON.parse(dashboard) as {
    panels: { id: number; title: string; gridPos: object; targets: { expr: string }[] }[]
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { title, gridPos, targets } of panels) {
    expect([title, Object.keys(gridPos), targets.length > 0]).toEqual([title, ['x', 'y', 'w', 'h'], true])
  }
})

test.skipIf(promtool === undefined)(
  'promtool accepts the alert rules and every query of the dashboard',
  async () => {
    const rules = await runTool([promtool ?? '', 'check', 'rules', 'docs/monitoring/alerts.yml'])
    expect(rules).toEqual({ code: 0, said: expect.stringContaining('SUCCESS') })
    const queries = [...dashboard.matchAll(/"expr": (".*")/g)].map(([, text = '']): string =>
      JSON.parse(text),
    )
    expect(queries.length).toBeGreaterThan(10)
    const asRules = queries.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }))
    const file = `${process.env.TMPDIR ?? '/tmp'}/kiroku-panels-${process.pid}.yml`
    await Bun.write(file, JSON.stringify({ groups: [{ name: 'panels', rules: asRules }] }))
    const checked = await runTool([promtool ?? '', 'check', 'rules', file]).finally(() =>
      Bun.file(file).delete(),
    )
    expect(checked).toEqual({ code: 0, said: expect.stringContaining('SUCCESS') })
  },
)
