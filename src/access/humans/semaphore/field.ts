/** Order of the scalar field of BN254: signals of a proof, commitments and nullifiers lie below it. */
export const scalarOrder =
  21_888_242_871_839_275_222_246_405_745_257_275_088_548_364_400_416_034_343_698_204_186_575_808_495_617n;

/** The number in 32 bytes, big-endian: the one form in which commitments and nullifiers are stored and compared. */
export function toBytes32(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

export function fromBytes(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}
