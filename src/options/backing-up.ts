import { type KeepRule, keepRule } from '../values/keep-rule'
import { matching, nonBlank } from '../values/text'
import { duration } from '../values/time'
import { mapped } from '../values/value'
import { backupCommands, tableOption } from './table-option'

export const backingUp = {
  backupTo: tableOption<string | undefined>({
    name: 'backup-to',
    type: 'DIR|s3://…',
    defaultText: 'backups in the data directory',
    defaultValue: undefined,
    sentence: 'Where backups are stored. With a bucket, they are also kept in the data directory.',
    commands: ['serve', ...backupCommands],
    value: nonBlank,
  }),
  backupEvery: tableOption<number | null>({
    name: 'backup-every',
    type: 'off|TIME',
    defaultText: '24h',
    defaultValue: 86_400_000,
    sentence: 'How often the server makes a backup: a number followed by s, m, h or d.',
    commands: ['serve'],
    value: mapped(
      matching('^(?:off|[1-9][0-9]{0,8}[smhd])$', (t) => t.backups.every),
      (text) => (text === 'off' ? null : duration.read(text)),
    ),
  }),
  backupKeep: tableOption<KeepRule>({
    name: 'backup-keep',
    type: 'N(h|d|w|m|y),…',
    defaultText: '24h,7d,4w,12m',
    defaultValue: { h: 24, d: 7, w: 4, m: 12 },
    sentence:
      'Which backups to keep: the newest one of each of the last hours, days, weeks, months or years (UTC).',
    commands: ['serve', 'backup create', 'backup prune', 'backup send'],
    value: keepRule,
  }),
}
