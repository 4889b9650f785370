/** Why a store is not backed up, restored or migrated. Nothing was changed. */
export type TransferFailure =
  /** The backup is damaged, or is none. */
  | 'damaged'
  /** A bridge or another program uses the store. */
  | 'in_use'
  /** It cannot be done with these stores or files. */
  | 'refused';

export class TransferError extends Error {
  readonly failure: TransferFailure;
  constructor(failure: TransferFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransferError';
    this.failure = failure;
  }
}

/** A backup that cannot be read. */
export const damaged = (message: string): TransferError => new TransferError('damaged', message);
