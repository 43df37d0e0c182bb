import { baseUrl } from '../values/address'
import { matching, nonBlank } from '../values/text'
import { backupCommands, tableOption } from './table-option'

const commands = ['serve', ...backupCommands]

const isSecret = () => true

/** Settings for backups in a bucket and for encrypted ones. */
export const remoteSettings = {
  s3Endpoint: tableOption<string | undefined>({
    name: 's3-endpoint',
    type: 'URL',
    defaultText: 'Amazon S3 in the region',
    defaultValue: undefined,
    sentence: 'The URL of the S3-compatible server that holds the backup bucket.',
    commands,
    value: baseUrl,
  }),
  s3Region: tableOption({
    name: 's3-region',
    type: 'REGION',
    defaultText: 'us-east-1',
    defaultValue: 'us-east-1',
    sentence: "The region of the bucket, by its provider's name.",
    commands,
    value: matching('^[a-z0-9][a-z0-9-]{0,62}$', (t) => t.values.s3Region),
  }),
  s3AccessKeyId: tableOption<string | undefined>({
    name: 's3-access-key-id',
    type: 'ID',
    defaultText: '',
    defaultValue: undefined,
    sentence: 'The access key ID for the bucket.',
    commands,
    isSecret,
    isReadFromFile: true,
    value: nonBlank,
  }),
  s3SecretAccessKey: tableOption<string | undefined>({
    name: 's3-secret-access-key',
    type: 'SECRET',
    defaultText: '',
    defaultValue: undefined,
    sentence: 'The secret access key for the bucket.',
    commands,
    isSecret,
    isReadFromFile: true,
    value: nonBlank,
  }),
  backupPassphrase: tableOption<string | undefined>({
    name: 'backup-passphrase',
    type: 'PASSPHRASE',
    defaultText: 'backups are not encrypted',
    defaultValue: undefined,
    sentence: 'The passphrase that backups are encrypted with, in the age format.',
    commands,
    isSecret,
    isReadFromFile: true,
    value: nonBlank,
  }),
}
