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
    sentence: 'The lowest level that is logged; successful health checks are logged at debug.',
    commands: ['serve'],
    value: either(levels),
  }),
  logFormat: tableOption({
    name: 'log-format',
    type: 'auto|human|json',
    defaultText: 'auto',
    defaultValue: 'auto',
    sentence: 'The log format; auto means human on a terminal and JSON otherwise.',
    commands: ['serve'],
    value: either(['auto', 'human', 'json']),
  }),
  logLimit: tableOption<number | null>({
    name: 'log-limit',
    type: 'off|SIZE',
    defaultText: '100MB',
    defaultValue: 100_000_000,
    sentence: 'How much may be logged in an hour; further lines are dropped and counted.',
    commands: ['serve'],
    value: bytesOrOff,
  }),
  slowQuery: tableOption<number | null>({
    name: 'slow-query',
    type: 'off|TIME',
    defaultText: '1s',
    defaultValue: 1000,
    sentence:
      'Logs queries that take at least this long, without their values and at most once a minute each.',
    commands: ['serve'],
    value: timeOrOff,
  }),
  metrics: tableOption<ListenAddress | null>({
    name: 'metrics',
    type: 'off|HOST:PORT',
    defaultText: 'off',
    defaultValue: null,
    sentence: 'The address of the separate listener where Prometheus finds /metrics.',
    commands: ['serve'],
    value: addressOrOff,
  }),
}
