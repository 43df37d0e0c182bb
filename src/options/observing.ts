import { levels } from '../log/levels'
import { addressOrOff, bytesOrOff, type ListenAddress, timeOrOff } from '../values/observing'
import { either } from '../values/text'
import { tableOption } from './table-option'

/** The options of the log and of the metrics. */
export const observing = {
  logLevel: tableOption({
    name: 'log-level',
    type: 'error|warn|info|debug',
    defaultText: 'info',
    defaultValue: 'info',
    sentence: 'The least urgent lines that the log has; health checks are debug.',
    commands: ['serve'],
    value: either(levels),
  }),
  logFormat: tableOption({
    name: 'log-format',
    type: 'auto|human|json',
    defaultText: 'auto',
    defaultValue: 'auto',
    sentence: 'How the log is written; auto is human on a terminal and JSON otherwise.',
    commands: ['serve'],
    value: either(['auto', 'human', 'json']),
  }),
  logLimit: tableOption<number | null>({
    name: 'log-limit',
    type: 'off|SIZE',
    defaultText: '100MB',
    defaultValue: 100_000_000,
    sentence: 'How much may be logged in an hour; lines beyond are counted and left out.',
    commands: ['serve'],
    value: bytesOrOff,
  }),
  slowQuery: tableOption<number | null>({
    name: 'slow-query',
    type: 'off|TIME',
    defaultText: '1s',
    defaultValue: 1000,
    sentence: 'Logs queries that take as long, without their values; each once a minute at most.',
    commands: ['serve'],
    value: timeOrOff,
  }),
  metrics: tableOption<ListenAddress | null>({
    name: 'metrics',
    type: 'off|HOST:PORT',
    defaultText: 'off',
    defaultValue: null,
    sentence: 'Where Prometheus finds /metrics: an address of its own, for nobody else.',
    commands: ['serve'],
    value: addressOrOff,
  }),
}
