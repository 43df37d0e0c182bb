/** `unit` is for the documentation. */
export interface Definition {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly unit: string
  readonly help: string
  readonly labels: readonly string[]
  readonly buckets?: readonly number[]
}

const counter = <const L extends string = never>(unit: string, help: string, labels: readonly L[] = []) =>
  ({ kind: 'counter', unit, help, labels }) as const

const gauge = <const L extends string = never>(unit: string, help: string, labels: readonly L[] = []) =>
  ({ kind: 'gauge', unit, help, labels }) as const

const histogram = <const L extends string = never>(
  unit: string,
  help: string,
  buckets: readonly number[],
  labels: readonly L[] = [],
) => ({ kind: 'histogram', unit, help, labels, buckets }) as const

const answerTimes = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const writeTimes = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30]

/** What kiroku itself measures. Names and units: https://prometheus.io/docs/practices/naming/ */
export const definitions = {
  kiroku_build_info: gauge('', 'Always 1; the labels name the version and the runtime.', [
    'version',
    'runtime',
  ]),
  kiroku_http_requests_total: counter('requests', 'Requests answered. Unknown paths are the route "other".', [
    'route',
    'method',
    'code',
  ]),
  kiroku_http_request_duration_seconds: histogram(
    'seconds',
    'Time from the arrival of the headers until the answer is ready to send.',
    answerTimes,
    ['route', 'method'],
  ),
  kiroku_http_requests_in_flight: gauge('requests', 'Requests being answered now, on the main port.'),
  kiroku_http_request_body_bytes_total: counter(
    'bytes',
    'Size of request bodies, as stated by Content-Length.',
  ),
  kiroku_http_bodies_in_flight_bytes: gauge(
    'bytes',
    'Memory used by request bodies of strangers, members (forms), api and uploads.',
    ['sender'],
  ),
  kiroku_outgoing_total: counter('messages', 'Messages to destinations of members, by how they ended.', [
    'state',
  ]),
  kiroku_write_queue_length: gauge('writes', 'Writes waiting for the writer.'),
  kiroku_write_wait_seconds: histogram('seconds', 'Time a write waited before it started.', writeTimes),
  kiroku_write_group_size: histogram(
    'writes',
    'Number of writes in one commit.',
    [1, 2, 4, 8, 16, 32, 64, 128],
  ),
  kiroku_write_commit_seconds: histogram(
    'seconds',
    'Time a commit took, including the flush to disk.',
    writeTimes,
  ),
  kiroku_storage_faults_total: counter(
    'faults',
    'Disk and database failures that a request or a job ran into.',
    ['problem'],
  ),
  kiroku_database_bytes: gauge('bytes', 'Size of the database file.'),
  kiroku_wal_bytes: gauge('bytes', "Size of SQLite's write-ahead log."),
  kiroku_disk_free_bytes: gauge('bytes', 'Free space on the disk that holds the data directory.'),
  kiroku_cache_bytes: gauge('bytes', 'Memory used by a cache, by its own count.', ['cache']),
  kiroku_cache_capacity_bytes: gauge('bytes', 'Memory that a cache may use.', ['cache']),
  kiroku_cache_entries: gauge('entries', 'Number of entries in a cache.', ['cache']),
  kiroku_cache_hits_total: counter('look-ups', 'Look-ups that a cache answered.', ['cache']),
  kiroku_cache_misses_total: counter('look-ups', 'Look-ups that a cache did not answer.', ['cache']),
  kiroku_log_events_total: counter(
    'events',
    'Log events other than requests, including those that were not written.',
    ['event', 'level'],
  ),
  kiroku_sign_ins_total: counter('attempts', 'Sign-in attempts, by password or code.', ['step', 'outcome']),
  kiroku_letters_total: counter('letters', 'E-mails by outcome; delayed ones are tried again.', ['outcome']),
  kiroku_letters_queued: gauge('letters', 'E-mails waiting to be sent, or to be tried again.', ['queue']),
  kiroku_cover_fetches_total: counter('fetches', 'Cover images requested from official sites.', ['outcome']),
  kiroku_backup_last_timestamp_seconds: gauge('Unix time', 'When the newest backup was made.'),
  kiroku_backup_last_verified_timestamp_seconds: gauge(
    'Unix time',
    'When the newest backup was last verified.',
  ),
  kiroku_backup_last_bytes: gauge('bytes', 'Size of the newest backup.'),
  kiroku_catalogue_works: gauge('works', 'Works in the catalogue that are not hidden.'),
  kiroku_catalogue_imported_timestamp_seconds: gauge('Unix time', 'When a catalogue import last finished.'),
  kiroku_catalogue_source_last_success_timestamp_seconds: gauge(
    'Unix time',
    'When a run of an enabled catalogue source last succeeded.',
    ['source'],
  ),
  kiroku_catalogue_source_last_outcome: gauge(
    '',
    'Always 1; the label outcome tells how the last run of an enabled catalogue source ended.',
    ['source', 'outcome'],
  ),
  kiroku_users: gauge('users', 'Number of accounts.'),
  kiroku_sessions: gauge(
    'sessions',
    'Stored sessions, including those that expired since the last clean-up.',
  ),
  kiroku_access_tokens: gauge('tokens', 'Stored access tokens.'),
} as const satisfies Readonly<Record<string, Definition>>

/** What `prom-client` measures of the process: unit and meaning. Its other metrics do not apply to Bun. */
export const processMetrics: Readonly<Record<string, readonly [unit: string, meaning: string]>> = {
  process_cpu_seconds_total: ['seconds', 'CPU time of all threads.'],
  process_cpu_user_seconds_total: ['seconds', 'CPU time spent in user mode.'],
  process_cpu_system_seconds_total: ['seconds', 'CPU time spent in the kernel.'],
  process_start_time_seconds: ['Unix time', 'When the process started.'],
  process_resident_memory_bytes: ['bytes', 'Resident memory.'],
  process_open_fds: ['file descriptors', 'Open files and connections.'],
  process_max_fds: ['file descriptors', 'Limit on open files and connections.'],
  nodejs_eventloop_lag_seconds: ['seconds', 'Event loop lag at the time of the scrape.'],
  nodejs_eventloop_lag_max_seconds: ['seconds', 'Longest event loop lag since the last scrape.'],
  nodejs_eventloop_lag_p99_seconds: [
    'seconds',
    '99th percentile of the event loop lag since the last scrape.',
  ],
}

type Definitions = typeof definitions
export type MetricName = keyof Definitions

export type NamesOf<K extends Definition['kind']> = {
  [N in MetricName]: Definitions[N]['kind'] extends K ? N : never
}[MetricName]

/** Every label of a metric, with its value. */
export type LabelsOf<N extends MetricName> = { readonly [L in Definitions[N]['labels'][number]]: string }
