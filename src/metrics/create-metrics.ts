import type { OpenMetricsContentType, PrometheusContentType, Registry } from 'prom-client'
import { type Definition, definitions, type MetricName, processMetrics } from './definitions'
import type { Metrics, Sample } from './metrics'

type MetricsFormat = PrometheusContentType | OpenMetricsContentType
type Client = typeof import('prom-client')
type Reader = () => readonly Sample<never>[] | Promise<readonly Sample<never>[]>

/** Loads the library, which takes 3 MB: only for a server that was asked for metrics. */
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
    text: inTurn(async (openMetrics: boolean) => {
      registry.setContentType(
        openMetrics ? client.Registry.OPENMETRICS_CONTENT_TYPE : client.Registry.PROMETHEUS_CONTENT_TYPE,
      )
      return { type: registry.contentType, text: await registry.metrics() }
    }),
  }
}

function make(
  client: Client,
  name: string,
  { kind, help, labels, buckets = [] }: Definition,
  readers: ReadonlyMap<string, Reader>,
  registry: Registry<MetricsFormat>,
) {
  const common = { name, help, labelNames: labels, registers: [registry] }
  if (kind === 'histogram') return new client.Histogram({ ...common, buckets: [...buckets] })
  const Kind = kind === 'counter' ? client.Counter : client.Gauge
  return new Kind({
    ...common,
    async collect() {
      const read = readers.get(name)
      if (read === undefined) return
      const samples = await Promise.try(read).catch(() => [])
      this.reset()
      // A metric without labels would stand there as 0.
      if (samples.length === 0) this.remove()
      for (const { labels, value } of samples) this.inc(labels, value)
    },
  })
}

/** One call after the other: the content type belongs to the registry. */
function inTurn<A, T>(work: (argument: A) => Promise<T>): (argument: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (argument) => {
    const next = last.then(() => work(argument))
    last = next.catch(() => {})
    return next
  }
}
