import type { OpenMetricsContentType, PrometheusContentType, Registry } from 'prom-client'
import { type Definition, definitions, type MetricName, processMetrics } from './definitions'
import type { Metrics, Sample } from './metrics'

type MetricsFormat = PrometheusContentType | OpenMetricsContentType
type Client = typeof import('prom-client')
type Reader = () => readonly Sample<never>[] | Promise<readonly Sample<never>[]>

/** Loads the library, which takes 3 MB: only for servers with metrics enabled. */
export async function createMetrics(): Promise<Metrics> {
  const { default: client } = await import('prom-client')
  const registry = new client.Registry<MetricsFormat>()
  client.collectDefaultMetrics({ register: registry })
  for (const { name } of registry.getMetricsAsArray())
    if (!(name in processMetrics)) registry.removeSingleMetric(name)
  const readers = new Map<string, Reader>()
  const made = new Map(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      make(client, name, definition, readers, registry),
    ]),
  )
  const metric = (name: MetricName) => made.get(name) as ReturnType<typeof make>
  return {
    count: (name, labels, by = 1) => (metric(name) as InstanceType<Client['Counter']>).inc(labels, by),
    observe: (name, value, labels) =>
      (metric(name) as InstanceType<Client['Histogram']>).observe(labels, value),
    read: (name, read) => void readers.set(name, read as Reader),
    text: inTurn((openMetrics: boolean) => textOf(client, registry, openMetrics)),
  }
}

async function textOf(client: Client, registry: Registry<MetricsFormat>, openMetrics: boolean) {
  const { OPENMETRICS_CONTENT_TYPE, PROMETHEUS_CONTENT_TYPE } = client.Registry
  registry.setContentType(openMetrics ? OPENMETRICS_CONTENT_TYPE : PROMETHEUS_CONTENT_TYPE)
  const metrics = registry.getMetricsAsArray()
  const names = metrics.map(({ name }) => name)
  const text = await registry.metrics()
  // prom-client 15.1.3 removes _total from the names of counters for OpenMetrics and does not put it back.
  for (const [index, metric] of metrics.entries()) metric.name = names[index] ?? metric.name
  return { type: registry.contentType, text }
}

function make(
  client: Client,
  name: string,
  definition: Definition,
  readers: ReadonlyMap<string, Reader>,
  registry: Registry<MetricsFormat>,
) {
  const { kind, help, labels: labelNames, buckets = [] } = definition
  const common = { name, help, labelNames, registers: [registry] }
  if (kind === 'histogram') return new client.Histogram({ ...common, buckets: [...buckets] })
  const Kind = kind === 'counter' ? client.Counter : client.Gauge
  return new Kind({
    ...common,
    async collect() {
      const read = readers.get(name)
      if (read === undefined) return
      const samples = await Promise.try(read).catch(() => [])
      this.reset()
      // Otherwise a metric without labels would be listed as 0.
      if (samples.length === 0 && labelNames.length === 0) this.remove()
      for (const { labels, value } of samples) this.inc(labels, value)
    },
  })
}

/** One call at a time: the content type is a property of the registry. */
function inTurn<A, T>(work: (argument: A) => Promise<T>): (argument: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (argument) => {
    const next = last.then(() => work(argument))
    last = next.catch(() => {})
    return next
  }
}
