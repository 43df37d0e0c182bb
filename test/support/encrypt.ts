import { decryptFile, encryptFile } from '../../src/backup/encryption/encrypted-destination'

// A separate process, to measure its memory: encrypts a file, decrypts it and prints its peak memory in KiB.
const [file = '', encrypted = '', back = ''] = process.argv.slice(2)
await encryptFile(file, encrypted, 'correct horse battery')
await decryptFile(encrypted, back, 'correct horse battery')
console.log(/VmHWM:\s+(\d+)/.exec(await Bun.file('/proc/self/status').text())?.[1])
