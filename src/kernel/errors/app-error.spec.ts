import { AppError } from './app-error';

describe('AppError.validation', () => {
  it('names the first 50 fields', () => {
    const fields = Array.from({ length: 60 }, (_, index) => ({ field: `field${index}`, messages: ['is wrong'] }));
    expect(AppError.validation(fields).details).toEqual({ fields: fields.slice(0, 50) });
  });
});
