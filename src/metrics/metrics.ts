import type { LabelsOf, NamesOf } from './definitions'

export interface Sample<N extends NamesOf<'gauge' | 'counter'>> {
  readonly labels: LabelsOf<N>
  readonly value: number
}

/** Label values must come from a bounded set: each combination is kept as long as the server runs. */
export interface Metrics {
  count<N extends NamesOf<'counter'>>(name: N, labels: LabelsOf<N>, by?: number): void
  observe<N extends NamesOf<'histogram'>>(name: N, value: number, labels: LabelsOf<N>): void
  /** `read` is called at each scrape; a metric whose reader throws is left out of that scrape. */
  read<N extends NamesOf<'gauge' | 'counter'>>(
    name: N,
    read: () => readonly Sample<N>[] | Promise<readonly Sample<N>[]>,
  ): void
  /** All metrics in Prometheus' text format; with `openMetrics`, in OpenMetrics 1.0. */
  text(openMetrics: boolean): Promise<{ readonly type: string; readonly text: string }>
}

/** A metric without labels. */
export const only = (value: number) => [{ labels: {}, value }] as const
