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
  kiroku_build_info: gauge('', 'Always 1; the labels are what runs.', ['version', 'runtime']),
  kiroku_http_requests_total: counter('requests', 'Requests answered. Unknown paths are the route "other".', [
    'route',
    'method',
    'code',
  ]),
  kiroku_http_request_duration_seconds: histogram(
    'seconds',
    'From the arrival of the headers to the answer, before it is sent.',
    answerTimes,
    ['route', 'method'],
  ),
  kiroku_http_requests_in_flight: gauge('requests', 'Requests being answered now, on the main port.'),
  kiroku_http_request_body_bytes_total: counter('bytes', 'Bodies of requests, by their Content-Length.'),
  kiroku_http_bodies_in_flight_bytes: gauge('bytes', 'Memory promised to bodies that arrive now.', [
    'sender',
  ]),
  kiroku_write_queue_length: gauge('writes', 'Writes that wait for the one writer.'),
  kiroku_write_wait_seconds: histogram('seconds', 'How long a write waited for its turn.', writeTimes),
  kiroku_write_group_size: histogram(
    'writes',
    'How many writes shared one commit.',
    [1, 2, 4, 8, 16, 32, 64, 128],
  ),
  kiroku_write_commit_seconds: histogram(
    'seconds',
    'How long a commit took, which flushes to the disk.',
    writeTimes,
  ),
  kiroku_storage_faults_total: counter('faults', 'Failures of the disk or the database that somebody met.', [
    'problem',
  ]),
  kiroku_database_bytes: gauge('bytes', 'The database file.'),
  kiroku_wal_bytes: gauge('bytes', "SQLite's write-ahead log."),
  kiroku_disk_free_bytes: gauge('bytes', 'Free on the disk of the data directory.'),
  kiroku_cache_bytes: gauge('bytes', 'Memory that a cache counts as used.', ['cache']),
  kiroku_cache_capacity_bytes: gauge('bytes', 'Memory that a cache may use.', ['cache']),
  kiroku_cache_entries: gauge('entries', 'Entries of a cache.', ['cache']),
  kiroku_cache_hits_total: counter('look-ups', 'Look-ups that a cache answered.', ['cache']),
  kiroku_cache_misses_total: counter('look-ups', 'Look-ups that a cache did not answer.', ['cache']),
  kiroku_log_events_total: counter('events', 'Events but requests, whether the log was told or not.', [
    'event',
    'level',
  ]),
  kiroku_sign_ins_total: counter('attempts', 'Passwords and codes that were tried.', ['step', 'outcome']),
  kiroku_letters_total: counter('letters', 'Letters, by what became of them; a delayed one is tried again.', [
    'outcome',
  ]),
  kiroku_letters_queued: gauge('letters', 'Letters that wait: for their turn, or for another try.', [
    'queue',
  ]),
  kiroku_cover_fetches_total: counter('fetches', 'Covers asked of official sites.', ['outcome']),
  kiroku_backup_last_timestamp_seconds: gauge('Unix time', 'When the newest backup was made.'),
  kiroku_backup_last_verified_timestamp_seconds: gauge(
    'Unix time',
    'When the newest backup was last read as a whole and found good.',
  ),
  kiroku_backup_last_bytes: gauge('bytes', 'The newest backup.'),
  kiroku_catalogue_works: gauge('works', 'Works that are shown.'),
  kiroku_catalogue_imported_timestamp_seconds: gauge('Unix time', 'When an import last ended.'),
  kiroku_users: gauge('users', 'Accounts.'),
  kiroku_sessions: gauge(
    'sessions',
    'Sessions kept, among them those that have expired since the last sweep.',
  ),
  kiroku_access_tokens: gauge('tokens', 'Access tokens kept.'),
} as const satisfies Readonly<Record<string, Definition>>

/** What `prom-client` measures of the process: unit and meaning. The rest of its metrics says nothing of Bun. */
export const processMetrics: Readonly<Record<string, readonly [unit: string, meaning: string]>> = {
  process_cpu_seconds_total: ['seconds', 'CPU time of all threads.'],
  process_cpu_user_seconds_total: ['seconds', 'Of that, in the program.'],
  process_cpu_system_seconds_total: ['seconds', 'Of that, in the system.'],
  process_start_time_seconds: ['Unix time', 'When the process started.'],
  process_resident_memory_bytes: ['bytes', 'Resident memory.'],
  process_open_fds: ['file descriptors', 'Open files and connections.'],
  process_max_fds: ['file descriptors', 'The most there may be.'],
  nodejs_eventloop_lag_seconds: ['seconds', 'How late the event loop is at the scrape.'],
  nodejs_eventloop_lag_max_seconds: ['seconds', 'The longest time it was blocked since the last scrape.'],
  nodejs_eventloop_lag_p99_seconds: ['seconds', '99 of 100 turns were shorter, since the last scrape.'],
}

type Definitions = typeof definitions
export type MetricName = keyof Definitions

export type NamesOf<K extends Definition['kind']> = {
  [N in MetricName]: Definitions[N]['kind'] extends K ? N : never
}[MetricName]

/** Every label of a metric with its value. */
export type LabelsOf<N extends MetricName> = { readonly [L in Definitions[N]['labels'][number]]: string }
