import { expect, test } from 'vitest';
import { hasGoods, isCancelled, isOpen, isOver, statuses } from '../../shared/status';

const which = (means: (id: number) => boolean) => statuses.filter(({ id }) => means(id)).map(({ name }) => name);

test('each meaning of a status holds for the statuses that the contract gives it', () => {
	expect(which(isOpen)).toEqual(['registered', 'planned']);
	expect(which(hasGoods)).toEqual(['picked_up', 'at_delivery']);
	expect(which(isOver)).toEqual(['delivered', 'failed', 'cancelled']);
	expect(which(isCancelled)).toEqual(['cancelled']);
});
